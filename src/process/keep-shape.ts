/**
 * V8 compiles code for the shapes of the objects that it meets, and throws it away with the last object of such a shape. Between two
 * chunks nothing of a chunk is left, so that every collection there took the code with it, and threads compiled the same functions a
 * hundred times in a sync of 100 000. Of each shape that the elements of a chunk go through, one object stays. Shapes of a class with
 * private fields need it most: theirs go at the first collection, those of others at the third.
 *
 * Functions made within functions go the same way: what is called for each element is made once, with its module.
 */

const specimens: unknown[] = [];
const last = new Map<string, unknown>();

/** While a module is loaded: an object of the shape, with little in it. */
export function keepShape(...some: readonly unknown[]): void {
  specimens.push(...some);
}

/** An element of more characters is not kept, nor what was made of it. */
const KEPT_CHARS_MAX = 10_000;

/**
 * Of shapes that only what is sent or stored decides: this one, until there is another. With it stays all that it refers to, so `chars`
 * says how much that is at most, and what is large is passed over: one of its shape will come that is not. A text that was cut out of another
 * refers to all of that one: of what has such a text one is made for this.
 */
export function keepLast(what: string, one: unknown, chars = 0): void {
  if (one !== undefined && one !== null && chars <= KEPT_CHARS_MAX) last.set(what, one);
}
