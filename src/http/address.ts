import { isIP } from 'node:net';
import { UsageError } from '../format/errors.js';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** Reads `host:port`, `[address]:port`. Throws `UsageError` for anything else; `example` says how it is meant. */
export function readAddress(text: string, example: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  const isAddress = match?.[1] === undefined || isIP(match[1]) === 6;
  if (host === undefined || port > 65_535 || !isAddress)
    throw new UsageError(`address ${JSON.stringify(text)}: want host:port, such as ${example}`);
  return { host, port };
}

/** Whether only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
