/** The thing that comments are about: orders, lines and requirements are entities. */
export type Subject = { entity: string } | { import: string };
