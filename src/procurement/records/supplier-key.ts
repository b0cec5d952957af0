/** What spellings of one supplier share: "DigiKey", "digikey" and "DigiKey " are the same. */
export function supplierKey(name: string): string {
  return tidyName(name).normalize('NFC').toLowerCase();
}

/** Without spaces around it, and with one where there are several. */
export function tidyName(name: string): string {
  return name.trim().replaceAll(/\s+/gu, ' ');
}
