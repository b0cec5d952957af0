/** SQL of the pictures of entities. */

/** $1 workspace, $2 entity. */
export const selectPictureOf = `
  select encode(picture, 'hex') as picture from entity where workspace_id = $1 and id = $2`;
