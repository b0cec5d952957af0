/** Finds what a module itself remembers: state that two instances of the service in one process would share. */
import { parseSync } from 'vite';

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** Nothing that one of these is told is remembered, or it stands for a value. */
const stateless = /^new (?:TextEncoder|TextDecoder|URL|RegExp|Intl\.\w+)\b/;
/** What is called on a collection to change it. */
const changes = 'add|set|delete|clear|push|pop|shift|unshift|splice|fill|sort|reverse|append';

/** The names of a file's module-level variables, and static fields, that can change, in order. */
export function moduleState(file: string, text: string): string[] {
  const found: string[] = [];
  const { program } = parseSync(file, text);
  for (const statement of program.body as unknown as Node[]) {
    const declared = (
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    ) as Node | null;
    if (declared?.type === 'VariableDeclaration') {
      for (const one of declared.declarations as Node[]) {
        const id = one.id as Node & { name?: string };
        // The parts of what is taken apart are values of their own.
        const name = id.name ?? text.slice(id.start, id.end);
        const isConstant =
          declared.kind === 'const' && (id.name === undefined || isReadonly(text.slice(id.start, id.end)));
        if (declared.kind !== 'const' || (!isConstant && isState(one.init as Node | null, name, text)))
          found.push(name);
      }
    }
    if (declared?.type === 'ClassDeclaration') found.push(...staticState(declared, text));
  }
  return found;
}

function staticState(declared: Node, text: string): string[] {
  const members = (declared.body as Node).body as Node[];
  return members
    .filter((member) => member.type === 'PropertyDefinition' && member.static === true)
    .map((member) => ({ member, name: (member.key as Node & { name: string }).name }))
    .filter(
      ({ member, name }) => member.readonly !== true || isState(member.value as Node | null, name, text),
    )
    .map(({ name }) => name);
}

/** By its declared type. */
function isReadonly(declaration: string): boolean {
  return /:\s*Readonly(?:Map|Set)\b/.test(declaration);
}

/** A collection that is made empty, or is changed; an object of a class; bytes. Constants in a table are none. */
function isState(init: Node | null, name: string, text: string): boolean {
  if (init === null) return false;
  const made = text.slice(init.start, init.end);
  const isChanged = new RegExp(
    `(?<![\\w.])${name}(?:\\.(?:${changes})\\(|\\[[^\\]]*\\]\\s*(?:[-+*|&]?=[^=]|\\+\\+|--)|\\.\\w+\\s*(?:[-+*|&?]*=[^=>]|\\+\\+|--))`,
  ).test(text);
  if (init.type === 'NewExpression') {
    if (/^new (?:Map|Set)\b/.test(made)) return (init.arguments as Node[]).length === 0 || isChanged;
    return !stateless.test(made);
  }
  if (/^Buffer\.alloc\w*\((?!0\))/.test(made)) return true;
  return isChanged;
}
