/** The same in batches of many chunks: every GUID is a chunk. */
import { describeElements } from './element-rules.ts';

describeElements({ SYNC_CHUNK_ELEMENTS: '1' });
