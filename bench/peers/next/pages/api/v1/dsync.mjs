import { openJackson } from '../../../jackson.mjs';

/** Creates a directory. */
export default async function directories(request, response) {
  const { directorySyncController } = await openJackson();
  const { data, error } = await directorySyncController.directories.create(request.body);
  response.status(error ? error.code : 201).json({ data, error });
}
