/** Drawn in 16 by 16 with one stroke; names of things, not of shapes. Decoration: the word stands beside it. */
const drawings = {
  overview: 'M2 13V7l6-4 6 4v6zM6 13V9h4v4',
  batches: 'M2 4h12M2 8h12M2 12h8M12 10v4M10 12l2 2 2-2',
  entities: 'M8 1.5l6 3.2v6.6l-6 3.2-6-3.2V4.700zM2 4.700l6 3.3 6-3.300M8 8v6.5',
  stock: 'M2 14V5l6-3 6 3v9M4.5 14V8h7v6M4.5 11h7',
  procurement: 'M1.5 2.5H4l1.5 7.5h7l1.5-5.5H4.5M6 13.5h.01M12 13.5h.01',
  automations: 'M9 1.5L3 9h5l-1 5.5L13 7H8z',
  settings: 'M2 4h7M13 4h1M2 12h1M7 12h7M11 2.5v3M5 10.5v3M2 8h4M10 8h4M8 6.5v3',
  imports: 'M8 10V2M5 5l3-3 3 3M2 10v4h12v-4',
  inbox: 'M2 9l2-6h8l2 6v4.5H2zM2 9h3.5l1 2h3l1-2H14',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.5 10.5L14 14',
  right: 'M6 3.5L10.5 8 6 12.5',
  down: 'M3.5 6L8 10.5 12.5 6',
  up: 'M3.5 10L8 5.5 12.5 10',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  add: 'M8 3v10M3 8h10',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 12h.01',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  download: 'M8 2v8M5 7l3 3 3-3M2 11v3h12v-3',
  columns: 'M2 3h12v10H2zM6 3v10M10 3v10',
  view: 'M3.5 2h9v12L8 11l-4.5 3z',
  filter: 'M2 3h12l-4.5 5.5V13l-3 1.5v-6z',
  eye: 'M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.500 8C13 11 10.700 12.500 8 12.500S3 11 1.500 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  edit: 'M10.5 3l2.5 2.5L6 12.5 3 13l.5-3z',
  trash: 'M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5L5 13.5h6l.5-9',
  play: 'M4.5 2.5l8 5.5-8 5.5z',
  retry: 'M13 3v3.5H9.5M12.8 6.5A5.3 5.3 0 1 0 13 9.5',
  print: 'M4.5 6V2h7v4M4.5 11H2V6h12v5h-2.5M4.5 9.5h7V14h-7z',
  scan: 'M2 5V2.5h3M11 2.5h3V5M14 11v2.5h-3M5 13.5H2V11M4.5 5.5v5M7 5.5v5M9 5.5v5M11.5 5.5v5',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  out: 'M6 2H2.5v12H6M10 5l3 3-3 3M13 8H6',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
