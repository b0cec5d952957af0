/** The filters and the order of a list, as its page declares them. */
import type { ReactNode } from 'react';

export interface Filter {
  /** The parameter, in the address and in the call. */
  key: string;
  label: string;
  /** Absent: free text. */
  options?: readonly { value: string; label: string; count?: number }[];
  /** What the choice of no option means; "Any" where absent. */
  any?: string;
  /** Several of the options may be chosen: any of them fits. */
  several?: true;
  /** An input of this type in place of text. */
  type?: 'text' | 'date' | 'datetime-local';
  /** A field of the filter's own, in place of these. */
  field?: (value: string, set: (next: string) => void) => ReactNode;
  /** How a value is named where it is no option. */
  name?: (value: string) => ReactNode;
}

export interface ListFilters {
  filters: readonly Filter[];
  /** By what the list can be sorted, and is: on a phone there are no heads of columns to click. */
  sorts?: readonly { by: string; header: string }[];
  sort?: { by: string; order: 'asc' | 'desc' } | undefined;
}
