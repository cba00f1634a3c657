// `node jsonServer.ts PACKAGES DATA`: json-server over DATA on a free port of 127.0.0.1, without its request log.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [packages = '', data = ''] = process.argv.slice(2);
const jsonServer = createRequire(join(packages, 'package.json'))('json-server');
const app = jsonServer.create();
app.use(jsonServer.router(data));
const server = app.listen(0, '127.0.0.1', () => console.log(`Serving at http://127.0.0.1:${server.address().port}`));
