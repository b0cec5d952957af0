// The command that turns the balancer when a workspace has moved: it waits, is told, and is waited for no longer than is bearable.
import { expect, test } from 'vitest';
import { startTurn } from '../../src/transfer/commands/turn-balancer.ts';

test('is told the slug when it is to turn', async () => {
  const turn = startTurn('read slug && test "$slug" = acme');
  turn.expectWaiting();
  await turn.tell('acme');
});

test('that fails or never ends is told of, and does not hold up the move', async () => {
  await expect(startTurn('read slug && exit 3').tell('acme')).rejects.toThrow(/ended with 3: mend that/);
  await expect(startTurn('read slug && exec tail -f /dev/null', 50).tell('acme')).rejects.toThrow(
    /had not turned after 0.05 s: mend that/,
  );
});
