/** The values of elements in a batch of one chunk. */
import { describeElements } from './element-rules.ts';

describeElements({});
