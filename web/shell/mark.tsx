/** The mark of the house. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="4" fill="#0b5c66" />
      <path d="M9 6h10a6 6 0 0 1 0 12h-6v8H9zm4 4v4h5a2 2 0 0 0 0-4z" fill="#fff" />
    </svg>
  );
}
