// `node stateServer.ts FILE`: serves an exported state until it is ended, and prints its address once the file has been read.
import { serveFile } from '../../src/service/serve.ts';

const service = await serveFile({ file: process.argv[2] ?? '' });
await service.ready;
console.log(`Serving at ${service.baseUrl}`);
