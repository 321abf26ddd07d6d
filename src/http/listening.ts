import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { causeText, StorageError } from '../format/errors.js';
import { type Address, addressText } from './address.js';

/** Has a server listen, and gives where it does: the port is the real one. Throws `StorageError` when it cannot. */
export function listening(server: Server, { host, port }: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const asked = addressText({ host, port });
      // Node's own words are `listen EADDRINUSE: address already in use 127.0.0.1:80`.
      const words = causeText(cause)
        .replace(/^listen [A-Z]+: /, '')
        .replace(` ${host}:${port}`, '');
      reject(new StorageError(`listen ${asked}: ${words}`, { cause }));
    });
    server.listen(port, host, () => {
      resolve({ host, port: (server.address() as AddressInfo).port });
    });
  });
}
