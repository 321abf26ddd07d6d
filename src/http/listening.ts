import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { causeText, StorageError } from '../format/errors.js';
import type { Address } from './address.js';

/** Has a server listen, and gives where it does: the port is the real one. Throws `StorageError` when it cannot. */
export function listening(server: Server, { host, port }: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new StorageError(`listen ${host}:${port}: ${causeText(cause)}`, { cause }));
    });
    server.listen(port, host, () => {
      resolve({ host, port: (server.address() as AddressInfo).port });
    });
  });
}
