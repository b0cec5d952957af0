/** Returns the key that spellings of one supplier share: "DigiKey", "digikey" and "DigiKey " are the same. */
export function supplierKey(name: string): string {
  return tidyName(name).normalize('NFC').toLowerCase();
}

/** Returns the supplier's name to store; null if a call names none. */
export function givenSupplier({ supplier }: { supplier?: string | null | undefined }): string | null {
  return supplier == null ? null : tidyName(supplier);
}

/** Without spaces around it, and with one where there are several. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ');
}
