/** No file leads back to itself by its imports, types included; and no room of a capability does. */
import { dirname } from 'node:path/posix';
import { describe, expect, test } from 'vitest';
import { circlesIn, filesOf, type Graph } from './find-circles.ts';
import { mayImport } from './import-rules.ts';
import { readSources, type Sources, unitOf } from './scan-sources.ts';

const sources = readSources(
  ['src', 'workers', 'migrations', 'test', 'bench'],
  ['test/architecture', 'test/web'],
);

/** The same of the folders within each unit. Routes stand on top, over all of its rooms, wherever they lie. */
function roomsOf(sources: Sources): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, files] of filesOf(sources)) {
    if (from.endsWith('.routes.ts')) continue;
    const room = dirname(from);
    const rooms = graph.get(room) ?? new Set();
    graph.set(room, rooms);
    for (const file of files) {
      if (unitOf(file) === unitOf(from) && dirname(file) !== room) rooms.add(dirname(file));
    }
  }
  return graph;
}

describe('the sources', () => {
  test('have no circle of files', () => {
    const graph = filesOf(sources);
    expect(graph.size).toBeGreaterThan(600);
    expect(circlesIn(graph)).toEqual([]);
  });

  test('have no circle of rooms within a capability', () => {
    const graph = roomsOf(new Map([...sources].filter(([file]) => file.startsWith('src/'))));
    expect(graph.size).toBeGreaterThan(20);
    expect(circlesIn(graph)).toEqual([]);
  });
});

test('the rules of who may import whom have no circle', () => {
  const graph = new Map(Object.entries(mayImport).map(([unit, others]) => [unit, new Set(others)]));
  expect(circlesIn(graph)).toEqual([]);
});

describe('the check', () => {
  const seed = (files: Record<string, string>): Sources => new Map(Object.entries(files));

  test('catches a circle of three, by a type alone and by a dynamic import', () => {
    const seeded = seed({
      'src/a.ts': `import { b } from './b/b.ts';\n`,
      'src/b/b.ts': `import type { C } from '../c.ts';\n`,
      'src/c.ts': `const a = await import('./a.ts');\n`,
      'src/d.ts': `import { a } from './a.ts';\n`,
    });
    expect(circlesIn(filesOf(seeded))).toEqual(['src/a.ts → src/b/b.ts → src/c.ts → src/a.ts']);
  });

  test('catches a room that leads back to its own, where no file does', () => {
    const seeded = seed({
      'src/x/a.ts': `import { b } from './y/b.ts';\n`,
      'src/x/y/b.ts': '',
      'src/x/y/c.ts': `import { d } from '../d.ts';\n`,
      'src/x/d.ts': '',
    });
    expect(circlesIn(filesOf(seeded))).toEqual([]);
    expect(circlesIn(roomsOf(seeded))).toEqual(['src/x → src/x/y → src/x']);
  });

  test('lets routes reach into every room', () => {
    const seeded = seed({
      'src/x/a.routes.ts': `import { b } from './y/b.ts';\n`,
      'src/x/y/b.ts': `import { d } from '../d.ts';\n`,
      'src/x/d.ts': '',
    });
    expect(circlesIn(roomsOf(seeded))).toEqual([]);
  });
});
