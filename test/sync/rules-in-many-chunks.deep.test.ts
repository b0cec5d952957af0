/** Large batches are planned, checked, written and linked chunk by chunk; here every GUID is a chunk. */
import { describeRules } from './rules.ts';

describeRules({ SYNC_CHUNK_ELEMENTS: '1' });
