export { type ClaimCall, checkClaimHistory, type HistoryFault } from './claims.ts'
export { createHistoryLog, type HistoryLog } from './log.ts'
