import { Effect } from "effect"
import * as fc from "fast-check"
import { diskAbsence } from "../../support/SmallDisk.ts"
import { which } from "../World.ts"
import { Cluster, fakeTime, fiu, type Instance } from "./Cluster.ts"

type Database = Pick<typeof Cluster.Service, "disk" | "setDatabase">

interface Kind {
  readonly name: string
  readonly begin: (at: Instance, fault: Amounts, database: Database) => Effect.Effect<void>
  readonly end?: (at: Instance, database: Database) => Effect.Effect<void>
}

const amounts = {
  nth: fc.integer({ min: 1, max: 12 }),
  // The longest is more than the day after which a key is forgotten. The log has no partition for two days ago.
  seconds: fc.constantFrom(30, 3600, 108_000, -30, -3600, -72_000)
}

interface Amounts {
  readonly nth: number
  readonly seconds: number
}

const linkFaults = (link: "database" | "provider"): ReadonlyArray<Kind> => [
  { name: `cut from the ${link}`, begin: (at) => Effect.sync(at[link].cut) },
  { name: `loses an answer of the ${link}`, begin: (at, { nth }) => Effect.sync(() => at[link].cutAnswer(nth)) },
  {
    name: `partitioned from the ${link}`,
    begin: (at) => Effect.sync(at[link].hold),
    end: (at) => Effect.sync(at[link].heal)
  }
]

const kinds: ReadonlyArray<Kind> = [
  { name: "paused", begin: ({ signal }) => signal("SIGSTOP"), end: ({ signal }) => signal("SIGCONT") },
  { name: "killed", begin: ({ kill }) => kill, end: ({ restart }) => restart },
  {
    name: "without a database, as the other one",
    begin: (_, __, { setDatabase }) => setDatabase("down"),
    end: (_, { setDatabase }) => setDatabase("up")
  },
  ...diskAbsence() !== "" ? [] : [
    {
      name: "with a full disk of the database, as the other one",
      begin: (_, { nth }, { disk }) => disk?.fill((nth - 1) * 200_000) ?? Effect.void,
      end: (_, { disk, setDatabase }) => Effect.andThen(disk?.free ?? Effect.void, setDatabase("up"))
    } satisfies Kind
  ],
  ...fiu.length === 0 ? [] : [
    {
      name: "with a database whose fsync fails, as the other one",
      begin: (_, __, { setDatabase }) => setDatabase("without fsync"),
      end: (_, { setDatabase }) => setDatabase("up")
    } satisfies Kind
  ],
  ...linkFaults("database"),
  ...linkFaults("provider"),
  ...(fakeTime === undefined
    ? []
    : [
      {
        name: "in another time",
        begin: ({ jump }, { seconds }) => jump(seconds),
        end: ({ jump }) => jump(0)
      } satisfies Kind
    ])
]

export const fault = fc.record({
  kind: fc.constantFrom(...kinds),
  instance: which,
  /** How many calls end between the begins of the fault before and of this one, and before it is over. */
  after: fc.nat(12),
  lasts: fc.integer({ min: 1, max: 30 }),
  ...amounts
})
export type Fault = typeof fault extends fc.Arbitrary<infer A> ? A : never

/** The begins and ends, each with the count of ended calls that it waits for, in order. */
export const schedule = Effect.fnUntraced(function*(faults: ReadonlyArray<Fault>) {
  const { disk, instances, setDatabase } = yield* Cluster
  let begin = 0
  return faults.flatMap(({ after, instance, kind, lasts, nth, seconds }) => {
    begin += after
    const at = instances[instance]
    const text = `instance ${instance} is ${kind.name} (packet ${nth}, ${seconds} s)`
    const { end } = kind
    return [
      { at: begin, run: kind.begin(at, { nth, seconds }, { disk, setDatabase }), text },
      ...(end === undefined
        ? []
        : [{ at: begin + lasts, run: end(at, { disk, setDatabase }), text: `no longer: ${text}` }])
    ]
  }).toSorted((one, other) => one.at - other.at)
})
