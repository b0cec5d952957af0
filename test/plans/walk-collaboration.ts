/** The calls of comments, for the plans of their statements. */

type Must = (
  status: number,
  method: string,
  path: string,
  body?: object,
) => Promise<{ id: string; items: { id: string }[] }>;

export async function walkCollaboration(must: Must): Promise<void> {
  const [entity] = (await must(200, 'GET', '/entities?limit=1')).items;
  const comment = await must(201, 'POST', '/comments', { entity: entity?.id, text: 'Checkd' });
  await must(200, 'PUT', `/comments/${comment.id}`, { text: 'Checked' });
  await must(200, 'GET', `/comments/${comment.id}/versions`);
  await must(200, 'GET', `/comments?entity=${entity?.id}`);
  await must(200, 'GET', '/people?q=a');
}
