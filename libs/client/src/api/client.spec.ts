import { createGatehouse } from './client.js';

it.each(['.', '..'])('the id %s is refused: URLs have it for another path', async (id) => {
  const requested: unknown[] = [];
  const gatehouse = createGatehouse({
    url: 'https://gatehouse.example',
    key: 'key',
    fetch: (url) => {
      requested.push(url);
      return Promise.resolve(Response.json({ data: {} }));
    },
  });
  const { webhookEndpoints } = gatehouse.directories;
  await expect(webhookEndpoints.delete({ directoryId: 'directory', id })).rejects.toThrow(
    `id must not be "${id}"`,
  );
  expect(requested).toEqual([]);
});
