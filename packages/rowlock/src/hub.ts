import { type Driver, install } from '@rowlock/core'
import { type Claims, createClaims } from '@rowlock/core/claims'
import { createOutbox, type Outbox } from '@rowlock/core/outbox'
import type { HubConfig } from './config/index.ts'
import { type Courier, createCourier } from './deliveries/courier.ts'
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts'
import { createDestinations, type Destinations } from './deliveries/destinations.ts'
import type { Carriers } from './deliveries/dispatch.ts'
import type { SendMail } from './deliveries/mail.ts'
import { remind } from './deliveries/reminders.ts'
import { fetchSend, type Send } from './deliveries/send.ts'
import { alertDestinations } from './deliveries/statements/alerts.ts'
import { createEvents, type Events } from './events/events.ts'
import { createIssues, type Issues } from './events/issues.ts'
import { createFleet, type Fleet } from './fleet/fleet.ts'
import { createGround, type Ground } from './ground.ts'
import { type Attempts, createAttempts } from './identity/attempts.ts'
import { type Credentials, createCredentials } from './identity/credentials.ts'
import { createProjects, type Project, type Projects } from './identity/projects.ts'
import { createSessions, type Sessions } from './identity/sessions.ts'
import { createTokens, type NewToken, type Tokens } from './identity/tokens.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { hubSchemas } from './schema.ts'

/** The hub without its HTTP: what its routes, its commands and its workers call. */
export interface Hub {
  readonly ground: Ground
  readonly config: HubConfig
  readonly events: Events
  readonly issues: Issues
  readonly claims: Claims
  readonly outbox: Outbox
  readonly destinations: Destinations
  readonly deliveries: Deliveries
  readonly courier: Courier
  readonly carriers: Carriers
  readonly fleet: Fleet
  readonly tokens: Tokens
  readonly projects: Projects
  readonly sessions: Sessions
  readonly credentials: Credentials
  readonly attempts: Attempts
  readonly metrics: Metrics
  /** There may be something to deliver. */
  onWork(): void
  onProblem(problem: string, cause?: unknown): void
  /** Makes or updates the tables, and what a new hub needs: a first project, and the admin token if there is none. */
  install(options?: InstallHubOptions): Promise<InstalledHub>
}

export interface InstallHubOptions {
  /** The secret of the first token, in place of a random one; null makes none. */
  readonly firstToken?: string | null
}

export interface InstalledHub {
  /** The oldest project. */
  readonly project: Project
  /** With its secret, which is not to be had again; undefined where there was a token. */
  readonly firstToken: NewToken | undefined
}

export interface HubOptions {
  readonly driver: Driver
  readonly config: HubConfig
  /** Replaces the clocks of the process and the database; for tests. */
  readonly clock?: (() => number) | undefined
  /** How deliveries are sent. Default: with `fetch`. */
  readonly send?: Send | undefined
  /** How e-mail is sent. Default: not at all. */
  readonly mail?: SendMail | undefined
  /** Runs work when the requests of this moment have been read (`setImmediate`): then events share commits. */
  readonly later?: ((work: () => void) => void) | undefined
  /** There may be something to deliver. */
  readonly onWork?: (() => void) | undefined
  /** Something went wrong that no caller hears of. Default: nothing. */
  readonly onProblem?: ((problem: string, cause?: unknown) => void) | undefined
}

/** The first project of a new hub, so that the first event has somewhere to go. */
const FIRST_PROJECT = 'default'

export function createHub(options: HubOptions): Hub {
  const { driver, config, clock, later, onWork = () => {}, onProblem = () => {} } = options
  const ground = createGround(driver, clock)
  const shared = clock === undefined ? {} : { clock }
  const metrics = createMetrics()
  const { allowPrivateDestinations: allowPrivate, publicUrl } = config
  const carriers = { send: options.send ?? fetchSend({ allowPrivate }), mail: options.mail }
  const outbox = createOutbox(driver, shared)
  // Event claims live in the issues' rows; these are the claims that others make over HTTP.
  const claims = createClaims(driver, shared)
  const issueClaims = createClaims(driver, {
    table: 'rowlock_issues',
    key: 'id',
    whenColumnMissing: 'throw',
    ...shared,
  })
  const events = createEvents(ground, { claims: issueClaims, outbox, later, metrics, onWork, onProblem })
  const destinations = createDestinations(ground, outbox, {
    allowPrivate,
    canMail: carriers.mail !== undefined,
  })
  const tokens = createTokens(ground)
  const projects = createProjects(ground)
  return {
    ground,
    config,
    events,
    issues: createIssues(ground),
    claims,
    outbox,
    destinations,
    deliveries: createDeliveries(ground, outbox),
    courier: createCourier(ground, {
      outbox,
      destinations,
      carriers,
      publicUrl,
      free: events.free,
      metrics,
      onProblem,
    }),
    carriers,
    fleet: createFleet(ground, {
      clock,
      everyMs: config.checkEvery,
      announceTo: alertDestinations(driver.dialect),
      metrics,
      remind: () => remind({ ground, outbox, onWork }),
      onWork,
      onProblem,
    }),
    tokens,
    projects,
    sessions: createSessions(ground),
    credentials: createCredentials(ground, tokens, projects),
    attempts: createAttempts(),
    metrics,
    onWork,
    onProblem,
    async install({ firstToken } = {}) {
      await install(driver, { modules: hubSchemas })
      const project = await projects.first(FIRST_PROJECT, config.window)
      return { project, firstToken: firstToken === null ? undefined : await tokens.addFirst(firstToken) }
    },
  }
}
