/** Messages that the service sends to others, as the document's `webhooks`, signed as Standard Webhooks specifies. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { AnyRoute } from '../route.ts';

export function describeMessages(
  routes: readonly AnyRoute[],
): Record<string, { post: ZodOpenApiOperationObject }> {
  const messages = routes.flatMap((route) =>
    Object.entries(route.messages ?? {}).map(([name, schema]) => {
      const { id, description = '' } = schema.meta() ?? {};
      if (id === undefined) throw new Error(`The message ${name} has no id`);
      const post: ZodOpenApiOperationObject = {
        operationId: `on${id}`,
        tags: [route.tag],
        summary: description,
        security: [],
        requestParams: { header: SignatureHeaders },
        // The schema of an answer shows it, too: that one is referred to.
        requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${id}` } } } },
        responses: {
          '2XX': { description: 'Received. After any other response the message is sent again.' },
        },
      };
      return [name, { post }] as const;
    }),
  );
  return Object.fromEntries(messages);
}

const SignatureHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the message, the same in every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'When it is sent, in seconds of Unix time.' }),
  'webhook-signature': z.string().meta({
    description:
      'Signature according to Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body; two, separated by a space, while a secret is rotated.',
  }),
});
