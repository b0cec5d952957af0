/** Shows whether a webhook is on, off or failing. */
import type { Webhook } from '../client/operations.ts';
import { StatusWord } from '../components/words.tsx';

export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (!webhook.enabled)
    return <StatusWord tone={webhook.disabledReason === null ? 'quiet' : 'bad'}>off</StatusWord>;
  return webhook.failingSince === null ? (
    <StatusWord tone="good">on</StatusWord>
  ) : (
    <StatusWord tone="bad">failing</StatusWord>
  );
}
