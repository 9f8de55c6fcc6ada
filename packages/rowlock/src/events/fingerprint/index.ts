export { FINGERPRINT_VERSION, fingerprint, formerKey, lookupKeys } from './fingerprint.ts'
export { maskMessage } from './mask.ts'
export type {
  ExceptionValue,
  Fingerprint,
  FingerprintBasis,
  FingerprintInput,
  FingerprintOptions,
  StackFrame,
} from './types.ts'
