/** Where several lines come in one body, a refusal points at the one that it is of. */
import { AppError } from '../errors.ts';

export async function pointingAtLine<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = (error.errors ?? []).map((one) => ({ ...one, pointer: `/lines/${index}${one.pointer}` }));
    throw new AppError(error.code, {
      detail: error.message,
      errors:
        errors.length > 0
          ? errors
          : [{ pointer: `/lines/${index}`, code: error.code, message: error.message }],
      ...(error.extensions === undefined ? {} : { extensions: error.extensions }),
      ...(error.headers === undefined ? {} : { headers: error.headers }),
    });
  }
}
