/**
 * The numbers of the fields of OTLP's logs that asz writes or reads, by message, as the protocol's definitions
 * (`opentelemetry/proto/{common,resource,logs,collector/logs}/v1`) give them.
 */
export const REQUEST = { resourceLogs: 1 } as const;
export const RESOURCE_LOGS = { resource: 1, scopeLogs: 2 } as const;
export const RESOURCE = { attributes: 1 } as const;
export const SCOPE_LOGS = { scope: 1, logRecords: 2 } as const;
export const SCOPE = { name: 1, version: 2 } as const;
export const LOG_RECORD = {
  time: 1,
  severityNumber: 2,
  severityText: 3,
  body: 5,
  attributes: 6,
  observedTime: 11,
} as const;
export const KEY_VALUE = { key: 1, value: 2 } as const;
/** The members of a oneof. */
export const ANY_VALUE = { text: 1, bool: 2, integer: 3, double: 4, list: 5, map: 6, bytes: 7 } as const;
export const RESPONSE = { partialSuccess: 1 } as const;
export const PARTIAL_SUCCESS = { rejected: 1, message: 2 } as const;
/** `google.rpc.Status`, the body of an error. */
export const STATUS = { code: 1, message: 2 } as const;

/** The one type of body that is sent and taken. */
export const PROTOBUF_TYPE = 'application/x-protobuf';
