// Adding up along the paths of a structure.
import { expect, test } from 'vitest';
import { accumulate, type Step, stepsByStart } from '../../src/entities/structure/accumulate.ts';
import { Slices } from '../../src/fairness/slices.ts';
import { exactOfDecimal, one } from '../../src/quantity.ts';

test('adding up ends when whoever wanted it has gone', async () => {
  const steps: Step[] = Array.from({ length: 200_000 }, (_, at) => ({
    from: String(at),
    to: String(at + 1),
    quantity: exactOfDecimal('1.000001'),
  }));
  const gone = new AbortController();
  const children = await stepsByStart(steps, new Slices());
  let visited = 0;
  const adding = accumulate('0', one, children, new Slices(gone.signal), (_, amount) => {
    if (visited++ === 1000) gone.abort(new Error('gone'));
    return amount;
  });
  await expect(adding).rejects.toThrow('gone');
  expect(visited).toBeLessThan(200_000);
});
