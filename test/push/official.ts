/**
 * Requests and responses as the official definitions have them, by a library that is not ours.
 *
 * `DEFINITIONS` are the definitions of OTLP 1.x (`opentelemetry/proto/collector/logs/v1` and what it imports) as
 * descriptors, without their comments, deflated: `buf build --as-file-descriptor-set --exclude-source-info` over the
 * files of the npm package `@elastic/mockotlpserver` 0.10.0.
 */
import { inflateRawSync } from 'node:zlib';
import {
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const DEFINITIONS =
  'tVfPbxtFFO7a8a9nxx2GtE1TlbaGhhIkt7GDVAmhYidO6taxo7FT1HJYre0hdbvedXfXUS2OiCP3Soh/IFfuXHrg3+AIZ25cYGZ2' +
  'drM2u3GM6Gln3vfeN+/Nm3nzFv5KwYY5ooZDdTqkjjW5O7JMx7zbM4dD07h7vClHRSHG16d0XWFRahxvFn6LQbpiTJ5o+pjiDyFn' +
  'O9bAOFKP+XxVuancyTy8QLKu1FW6AdA1TV2qxJhKmqlkuMxVuA6ZgeFIPM7wOMPTTOQv0jfHXZ1KjSWmofBFXKmr1ICsZlnaROok' +
  'mE629EnxzFiKFW4h7BkdaP4MH0Du5bE+sD2nkoLu0zl0j6lr3mCG3D+XwmW8BdnuxKG2JEwxwhxfVAiFSjUFCQEW9gFOPcMPICnE' +
  'NtvdOPPi43lByeQQaVZoQS7o2cKEnrFP+DWkPRlGEH9JJ27iCR/iL2QYItMLuCuD/1WBlbrBzs94yMw0Z2Aa7R6jwBiWDG0ozxgR' +
  'Y7wKqWNq2UxHrJYh3hTvAWgOO4TdMdtfdqgWCjRgiu/Dat8yRyPaV0+las8cG444icvkssQrPrzN0eq3cHNgnr1kNbsthgdcfKA8' +
  'u3M0azAw5W01HX10emVPYtdbTK/j6wmGostWfLLZTQqrMvwYh2LY5beobY6tHuXX3xvLAnAjzGVf53hzbYFqUvhBgTSRtjNJUd5N' +
  'UmJnJuU7BQoRWQmEWF32fPYyszEnM4H9PIndCMuNxxjMzhsE62GbqZtHNt9K/pVZuRbmssAXy8jagseh8AzSDbbMjuZouAnLHqry' +
  'tWUOw+usdM4PnLOQnBWYFd4qkAvCuAZpT0Fc9CjuQK58fuKbMhqwedFwnYwJJ9fPdFLUGOFhxvaG7GFiNM/pUFPHli5epgyHueTQ' +
  '0h8l07+n0B+pwi8KZHx7XIeEYJD+l+ec77BaR1wGdl+yzD/Voj3T6p8vDuYCEeoEdG84L5DCn3HI+Ib4I8g7gyFVx8bgtWpohiki' +
  'SZIclx4yYZPJ8Gdwxeza1Dpmd3BGPSvUVzy4EzTrwEWbsiI9cCaqMR52qSUubD7icfXTI22awoTk7ak5axGWfVaHvnZkiDlP2GEy' +
  '/Dksdc3+RPYG536XhNFM6Uq+m9KVOqt04RVIfKNr7DynmVqKuBN8FdKOpbH7OOivZnhXQVJiXu/jK5CyR5rBERBIkk/r/UdL6SWU' +
  '2HibgPz0vrJW7Vq79qRG6p2navNwv1oj6mGzfVDbru/WazvoAlvt0qxCh1S2a0jBa3A5FCqhWCRWRvFIbAsthS23U6se7qFEmJmA' +
  'SigZiZVRKhLbQmnWTqzMYvXmbgtlwhzhSAlBFFRG2ShoC+XClvqqQppoOcyIIyWUj4LK6GIUtIVQGFQjpEXQe2GbIaASwpFYGb0f' +
  'iW2hlbDldiudSgNdCjMTUAldjsTK6EoktoVWN55C3i9du+JGsEPcaO2ppLbdIjvqbqOy11Z3Wmqz1VEP2zV2iNfh1r8UxJGT4/1K' +
  '+zH6W6na8EFEqyDLUpVXTdtrEdbntAjyUT+JXQtrDzhTsDX4OQn3w191Xac9x7SmmgSVl9qB38LdDi9M0tJvG87ZexRewGrt9ci0' +
  'HO5k212J0FfsX8D531uC7xW4GrKYPTINm+LncHGkWc5A01V73OtR25bP7IPiuUIunlIfuDxtl4bkR1PzwqtgzNO6+B6sWPQFI2ZF' +
  'PPhAc1fiBHtY4/QBZg8UtSzTUofMXjui8nclJ4T7rqz0kwLZQNCY9c5J1we8eHjTaVr78r8TuFtfuFB9o8CdyD+aGaIqCnB4N+Te' +
  '3N+bmbN9Ersd/pvjrTZza/4B';

const registry = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, inflateRawSync(Buffer.from(DEFINITIONS, 'base64'))),
);

function named(name: string): DescMessage {
  const message = registry.getMessage(`opentelemetry.proto.collector.logs.v1.${name}`);
  if (message === undefined) throw new Error(`the definitions have no ${name}`);
  return message;
}

const REQUEST = named('ExportLogsServiceRequest');
const RESPONSE = named('ExportLogsServiceResponse');

/** As OTLP's JSON form; numbers of 64 bits are decimal texts in it. */
export interface WireValue {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly bytesValue?: string;
  readonly boolValue?: boolean;
}

export interface WireRecord {
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly severityNumber?: string | number;
  readonly severityText?: string;
  readonly body?: WireValue;
  readonly attributes?: readonly { readonly key?: string; readonly value?: WireValue }[];
}

export interface WireRequest {
  readonly resourceLogs?: readonly {
    readonly resource?: { readonly attributes?: WireRecord['attributes'] };
    readonly scopeLogs?: readonly {
      readonly scope?: { readonly name?: string; readonly version?: string };
      readonly logRecords?: readonly WireRecord[];
    }[];
  }[];
}

export function decodeRequest(bytes: Uint8Array): WireRequest {
  return toJson(REQUEST, fromBinary(REQUEST, bytes), { registry, enumAsInteger: true }) as WireRequest;
}

export function encodeOfficially(request: WireRequest): Buffer {
  return Buffer.from(toBinary(REQUEST, fromJson(REQUEST, request as JsonValue, { registry })));
}

/** A request decoded and encoded: the same bytes, when they are as the definitions want them. */
export function sayAgain(request: Uint8Array): Buffer {
  return Buffer.from(toBinary(REQUEST, fromBinary(REQUEST, request)));
}

export interface WireResponse {
  readonly partialSuccess?: { readonly rejectedLogRecords?: string; readonly errorMessage?: string };
}

export function decodeResponse(bytes: Uint8Array): WireResponse {
  return toJson(RESPONSE, fromBinary(RESPONSE, bytes), { registry }) as WireResponse;
}

export function encodeResponse(response: WireResponse): Buffer {
  return Buffer.from(toBinary(RESPONSE, fromJson(RESPONSE, response as JsonValue, { registry })));
}

/** A record's attributes by name: texts as they are, whole numbers as bigint. Throws when a name comes twice. */
export function attributesOf(record: {
  readonly attributes?: WireRecord['attributes'];
}): Map<string, string | bigint> {
  const found = new Map<string, string | bigint>();
  for (const { key = '', value } of record.attributes ?? []) {
    if (found.has(key)) throw new Error(`attribute ${key} twice`);
    found.set(key, value?.intValue === undefined ? (value?.stringValue ?? '') : BigInt(value.intValue));
  }
  return found;
}
