import { openJackson } from '../../../../jackson.mjs';

/** Answers SCIM requests by the library, as the server of Ory Polis does. */
export default async function scim(request, response) {
  const { directorySyncController } = await openJackson();
  const { directory, count, startIndex, filter } = request.query;
  const [directoryId, resourceType, resourceId] = directory;
  const { status, data } = await directorySyncController.requests.handle({
    method: request.method,
    directoryId,
    resourceType,
    resourceId,
    apiSecret: request.headers.authorization?.replace('Bearer ', ''),
    // Next.js parses only application/json.
    body: request.body ? JSON.parse(request.body) : undefined,
    query: {
      count: count && Number(count),
      startIndex: startIndex && Number(startIndex),
      filter,
    },
  });
  response.status(status).json(data);
}
