/** The thing that comments are about: orders, lines and requirements are entities. */
export type Subject = { entity: string } | { import: string };

/** The thing that a member follows. */
export type Followed = Subject | { importProfile: string };
