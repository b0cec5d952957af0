// Any tree, written in every layout and dialect, is read back equal or refused, and never as another one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestForFile } from '../../clients/readers/definition/suggest-for-file.ts';
import { FileFault } from '../../clients/readers/findings.ts';
import { readText, textSource } from './read-text.ts';

interface Row {
  number: string;
  depth: number;
  item: string;
  parent: string;
  /** Numbers from the top down to the parent. */
  above: string[];
  quantity: string;
}

/** Parents by number of each node: node n is below one with a smaller number, so that the first is the root. */
const tree = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 12 })), { minLength: 2, maxLength: 9 });

function rowsOf(
  nodes: readonly (readonly [number, number])[],
  decimal: string,
): { rows: Row[]; links: string[] } {
  const children = new Map<number, number[]>();
  const parents = nodes.map(([pick], node) => (node === 0 ? -1 : pick % node));
  for (const [node, parent] of parents.entries())
    children.set(parent, [...(children.get(parent) ?? []), node]);
  const name = (node: number) => `AB-${100 + node}`;
  const amount = (node: number) => (node === 0 ? 1 : (nodes[node]?.[1] ?? 1) + (node % 3 === 2 ? 0.5 : 0));
  const rows: Row[] = [];
  const write = (node: number, item: string, above: string[]) => {
    const parent = parents[node] ?? -1;
    rows.push({
      number: name(node),
      depth: above.length,
      item,
      parent: parent === -1 ? '' : name(parent),
      above,
      quantity: String(amount(node)).replace('.', decimal),
    });
    for (const [at, child] of (children.get(node) ?? []).entries())
      write(child, `${item}.${at + 1}`, [...above, name(node)]);
  };
  write(0, '1', []);
  const links = parents.flatMap((parent, node) =>
    parent === -1 ? [] : `${name(parent)} > ${name(node)}: ${amount(node)}`,
  );
  return { rows, links: links.toSorted() };
}

/** Header and cells of a layout. */
const layouts: Readonly<
  Record<
    string,
    { titles: (row: readonly Row[]) => string[]; cells: (row: Row, rows: readonly Row[]) => string[] }
  >
> = {
  levels: {
    titles: () => ['Level', 'Part Number', 'Qty'],
    cells: ({ depth, number, quantity }) => [String(depth), number, quantity],
  },
  'L1, L2': {
    titles: () => ['Stufe', 'Sachnummer', 'Menge'],
    cells: ({ depth, number, quantity }) => [`L${depth + 1}`, number, quantity],
  },
  '--2': {
    titles: () => ['Level', 'Part Number', 'Qty'],
    cells: ({ depth, number, quantity }) => [`${'-'.repeat(depth)}${depth}`, number, quantity],
  },
  '+ +': {
    titles: () => ['Level', 'Part Number', 'Qty'],
    cells: ({ depth, number, quantity }) => ['+'.repeat(depth), number, quantity],
  },
  items: {
    titles: () => ['Pos', 'Part Number', 'Qty'],
    cells: ({ item, number, quantity }) => [item, number, quantity],
  },
  'an index without a known title': {
    titles: () => ['Tree', 'Part Number', 'Qty'],
    cells: ({ item, number, quantity }) => [item, number, quantity],
  },
  'blanks before the number': {
    titles: () => ['Part Number', 'Qty'],
    cells: ({ depth, number, quantity }) => [' '.repeat(2 * depth) + number, quantity],
  },
  'blanks before another text': {
    titles: () => ['Part Number', 'Benennung', 'Qty'],
    cells: ({ depth, number, quantity }) => [number, `${' '.repeat(depth)}Part ${number}`, quantity],
  },
  'dots before the number': {
    titles: () => ['Part Number', 'Qty'],
    cells: ({ depth, number, quantity }) => ['.'.repeat(depth) + number, quantity],
  },
  'columns of levels': {
    titles: (rows) => [
      ...Array.from({ length: Math.max(2, ...rows.map(({ depth }) => depth + 1)) }, (_, at) => `L${at}`),
      'Qty',
    ],
    cells: ({ depth, number, quantity }, rows) => [
      ...Array.from({ length: Math.max(2, ...rows.map((row) => row.depth + 1)) }, (_, at) =>
        at === depth ? number : '',
      ),
      quantity,
    ],
  },
  'a column of parents': {
    titles: () => ['Parent', 'Child', 'Qty'],
    cells: ({ parent, number, quantity }) => [parent, number, quantity],
  },
  'ids of the lines of parents': {
    titles: () => ['ID', 'Parent ID', 'Part Number', 'Qty'],
    cells: ({ parent, number, quantity }, rows) => {
      const idOf = (wanted: string) => String(10 + rows.findIndex((row) => row.number === wanted));
      return [idOf(number), parent === '' ? '' : idOf(parent), number, quantity];
    },
  },
  paths: {
    titles: () => ['Path', 'Part Number', 'Qty'],
    cells: ({ above, number, quantity }) => [[...above, number].join('/'), number, quantity],
  },
  'paths of the parents': {
    titles: () => ['Parent', 'Part Number', 'Qty'],
    cells: ({ above, number, quantity }) => [above.join(' > '), number, quantity],
  },
};

const dialects = [
  { delimiter: ',', decimal: '.' },
  { delimiter: ';', decimal: ',' },
  { delimiter: '\t', decimal: '.' },
  { delimiter: ';', decimal: '.' },
] as const;

test.each(Object.keys(layouts))('a tree written with %s', async (layout) => {
  const { titles, cells } = layouts[layout] as (typeof layouts)[string];
  let refused = 0;
  let equal = 0;
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom(...dialects), async (nodes, { delimiter, decimal }) => {
      const { rows, links } = rowsOf(nodes, decimal);
      const table = [titles(rows), ...rows.map((row) => cells(row, rows))];
      const text = table.map((row) => row.join(delimiter)).join('\n');
      const { suggestion } = await suggestForFile(textSource(text));
      if (suggestion === null || suggestion.problems.length > 0) {
        refused += 1;
        return;
      }
      try {
        const read = await readText(text, suggestion.definition);
        if (read.findings.errors > 0) refused += 1;
        else {
          expect(read.lines.filter((line) => line.includes(' > ')).toSorted(), text).toEqual(links);
          equal += 1;
        }
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        refused += 1;
      }
    }),
    { numRuns: 60 },
  );
  // Refusing everything would be no reader.
  expect(equal).toBeGreaterThan(refused);
});
