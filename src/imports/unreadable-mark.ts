/** Begins a line that stands for one of a table that cannot be read; no JSON begins so. What follows says where and why. */
export const UNREADABLE_MARK = 0x01;
