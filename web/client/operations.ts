/** The operations of the service, from the source that the client for other programs is made of: pages import them here. */
export { operations } from '../../clients/typescript/generated/operations.ts';
export type * from '../../clients/typescript/generated/types.ts';
