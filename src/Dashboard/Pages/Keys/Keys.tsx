import { Effect } from "effect"
import { Link } from "wouter"
import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import { isUnused, unusedWords } from "../../Parts/Access.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { dayInMillis } from "../../Parts/Day.ts"
import { confirming } from "../../Parts/Form.ts"
import { ListPage } from "../../Parts/ListPage.tsx"
import { madeColumn } from "../../Parts/MadeColumn.tsx"
import { nameColumn } from "../../Parts/NameColumn.tsx"
import { number } from "../../Parts/Numbers.ts"
import { Status } from "../../Parts/Status.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { LastUsed, Time, timeColumn } from "../../Parts/Time.tsx"
import { AccessCell } from "../../Rights/AccessCell.tsx"
import { useById } from "../../Service/ById.ts"
import { hasStats, readStats } from "../../Service/Calls.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useKeys, useMembers, useRevokeKey } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { KeyForm } from "./KeyForm.tsx"

const statsDays = 30

const isExpired = ({ expires_at }: ApiKey): boolean => expires_at !== null && expires_at.getTime() <= Date.now()

const KeyState = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  if (apiKey.revoked_at !== null) return <Status state="off">Revoked</Status>
  if (isExpired(apiKey)) return <Status state="off">Expired</Status>
  if (isUnused(apiKey)) return <Status state="attention">{unusedWords}</Status>
  return (
    <>
      <Status state="ok">Active</Status>
      {apiKey.expires_at && (
        <span className="meta below-name">
          ends <Time at={apiKey.expires_at} />
        </span>
      )}
    </>
  )
}

const useCallsByKey = (isAdmin: boolean) =>
  useServiceQuery(["stats", "keys"], (service) =>
    Effect.gen(function*() {
      const since = new Date(Date.now() - statsDays * dayInMillis)
      const { buckets } = yield* readStats(service, isAdmin, { since, bucket: "day", group_by: "key" })
      const byKey = new Map<string | null, number>()
      for (const { calls, group } of buckets) byKey.set(group, (byKey.get(group) ?? 0) + calls)
      return byKey
    }))

const callsColumn = (calls: ReadonlyMap<string | null, number> | undefined): Column<ApiKey> => ({
  title: "Calls, 30 days",
  kind: "number",
  minor: true,
  sortBy: ({ id }) => calls?.get(id) ?? 0,
  cell: ({ id, name }) => {
    const count = calls === undefined ? "…" : number.format(calls.get(id) ?? 0)
    return <Link href={`/logs?key=${id}`} aria-label={`Calls of ${name}: ${count}`}>{count}</Link>
  }
})

const states = [
  { value: "unused", title: unusedWords },
  { value: "revoked", title: "Revoked" },
  { value: "all", title: "All" }
]

export const Keys = () => {
  const { isAdmin } = useSession()
  const calls = useCallsByKey(isAdmin)
  const memberOf = useById(useMembers(isAdmin).data)
  const clientName = useClientName()
  const ownerOf = ({ client_id, member_id }: ApiKey) =>
    client_id === null ? memberOf(member_id)?.email : `for ${clientName(client_id) ?? client_id}`
  const ownerColumn: Column<ApiKey> = {
    title: "Whose",
    minor: true,
    sortBy: ownerOf,
    cell: (key) => <span className="owner" title={ownerOf(key)}>{ownerOf(key)}</span>
  }
  const columns: ReadonlyArray<Column<ApiKey>> = [
    nameColumn("Name", ({ name }) => name),
    { title: "State", cell: (apiKey) => <KeyState apiKey={apiKey} /> },
    { title: "Access", sortBy: ({ access }) => access, cell: (key) => <AccessCell rights={key} /> },
    ...isAdmin ? [ownerColumn] : [],
    { title: "Ends in", spare: true, cell: ({ hint }) => <code>…{hint}</code> },
    timeColumn("Last used", ({ last_used_at }) => last_used_at, { never: "never used" }),
    ...hasStats ? [callsColumn(calls.data)] : [],
    madeColumn
  ]
  return (
    <ListPage
      title="API keys"
      about="A key lets a script, a server or an agent make calls."
      make={{ title: "Make a key", preset: "client", dialog: (onClose) => <KeyForm onClose={onClose} /> }}
      what="key"
      list={useKeys()}
      columns={columns}
      nameOf={({ name }) => name}
      rowActions={(apiKey) =>
        apiKey.revoked_at !== null ? [] : [
          { title: "Change", dialog: (onClose) => <KeyForm apiKey={apiKey} onClose={onClose} /> },
          { title: "Revoke", dialog: (onClose) => <RevokeKey apiKey={apiKey} onClose={onClose} /> }
        ]}
      searchedTexts={(key) => [key.hint, ownerOf(key)]}
      filters={[{
        name: "state",
        label: "State",
        all: "Not revoked",
        options: states,
        keep: (key, state) =>
          state === "all" ||
          (state === "revoked") === (key.revoked_at !== null) && (state !== "unused" || isUnused(key))
      }]}
      empty="No keys yet. A key lets a script make calls."
    />
  )
}

const RevokeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => (
  <Confirm
    title={`Revoke ${apiKey.name}?`}
    action={`Revoke ${apiKey.name}`}
    {...confirming(useRevokeKey(), apiKey.id, onClose)}
    onClose={onClose}
  >
    <p>
      Calls with this key fail from the moment it is revoked. It was <LastUsed at={apiKey.last_used_at} />.
    </p>
  </Confirm>
)
