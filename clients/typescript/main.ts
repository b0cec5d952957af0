/** The face of the package: what other programs may import. Nothing inside of it imports this file. */
export {
  type Answer,
  type CallOptions,
  type Connection,
  connect,
  type ErrorCode,
  type Input,
  type Partbook,
  type Route,
} from './connect.ts';
export { ApiError, ArgumentError, ConnectionError, PartbookError, TimeoutError } from './errors.ts';
export type * from './generated/types.ts';
export { type ItemOf, type ListRoute, listItems } from './list-items.ts';
export { inReadingOrder, type ReadLine, treeInReadingOrder } from './reading-order.ts';
export {
  Batch,
  type Elements,
  readEvents,
  type SyncElement,
  type SyncOptions,
  sendBatch,
  syncBatch,
  type WaitOptions,
} from './sync-batch.ts';
export { type ReceivedWebhook, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';
