/**
 * Holds every handler to its declaration while tests call it, so that the API reference cannot drift from what the service says.
 */
import { AppError, type ErrorCode } from '../../src/errors.ts';
import type { Answer } from '../../src/http/answer.ts';
import { commonErrors } from '../../src/http/common-errors.ts';
import type { Wrapper } from '../../src/http/pipeline/exchange.ts';
import type { AnyRoute } from '../../src/http/route.ts';

export const checkDeclared: Wrapper =
  (inner, { route }) =>
  async (exchange) => {
    try {
      const answer = await inner(exchange);
      if (answer !== null) checkAnswer(route, answer);
      return answer;
    } catch (error) {
      if (!exchange.gone.aborted) checkRefusal(route, error);
      throw error;
    }
  };

/** Throws when the status is not declared, or the body does not fit the declared schema. */
function checkAnswer(route: AnyRoute, answer: Answer): void {
  const declared = route.answers[answer.status];
  if (declared === undefined) {
    throw new Error(`${route.operationId} answers ${answer.status}, which it does not declare`);
  }
  // Another form that is declared, such as a picture.
  const contentType = answer.headers?.['Content-Type'] ?? '';
  const [mediaType = ''] = contentType.split(';');
  if ([contentType, mediaType].some((type) => declared.alternatives?.[type] !== undefined)) return;
  const { bytes = answer.texts && Buffer.from(answer.texts.join('')) } = answer;
  const body = bytes === undefined ? answer.body : parsed(bytes);
  if (declared.schema === undefined) {
    if (body !== undefined) throw new Error(`${route.operationId} declares no body for ${answer.status}`);
    return;
  }
  const result = declared.schema.safeParse(body === undefined ? undefined : JSON.parse(JSON.stringify(body)));
  if (!result.success) {
    throw new Error(
      `${route.operationId} answers ${answer.status} against its schema: ${result.error.message}`,
    );
  }
}

/** Throws when a refusal's code is not declared. */
function checkRefusal(route: AnyRoute, error: unknown): void {
  if (!(error instanceof AppError)) return;
  const declared: readonly ErrorCode[] = [...commonErrors(route), ...(route.errors ?? [])];
  if (!declared.includes(error.code)) {
    throw new Error(`${route.operationId} refuses with ${error.code}, which it does not declare`, {
      cause: error,
    });
  }
}

function parsed(bytes: Buffer): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
}
