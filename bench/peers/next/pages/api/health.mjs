import { openJackson } from '../../jackson.mjs';

export default async function health(_request, response) {
  await openJackson();
  response.status(200).json({});
}
