/** Small batches are one chunk and one transaction. */
import { describeRules } from './rules.ts';

describeRules({});
