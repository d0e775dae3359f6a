import { Effect } from "effect"
import { useState } from "react"
import { Link } from "wouter"
import type { ApiKey } from "../../../Domain/Access/ApiKey.ts"
import { isUnused, unusedWords } from "../../Parts/Access.ts"
import { actionsColumn } from "../../Parts/Actions.tsx"
import { Confirm } from "../../Parts/Confirm.tsx"
import { dayInMillis } from "../../Parts/Day.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { ListPage } from "../../Parts/ListPage.tsx"
import { madeColumn } from "../../Parts/MadeColumn.tsx"
import { memberColumn } from "../../Parts/MemberColumn.tsx"
import { nameColumn } from "../../Parts/NameColumn.tsx"
import { Status } from "../../Parts/Status.tsx"
import type { Column } from "../../Parts/Table.tsx"
import { Time, timeColumn } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { AccessCell } from "../../Rights/AccessCell.tsx"
import { useById } from "../../Service/ById.ts"
import { hasStats, readStats } from "../../Service/Calls.ts"
import { useKeys, useMembers } from "../../Service/Lists.ts"
import { useServiceMutation, useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { ChangeKey } from "./ChangeKey.tsx"
import { MakeKey } from "./MakeKey.tsx"

const statsDays = 30

const isExpired = ({ expires_at }: ApiKey): boolean => expires_at !== null && expires_at.getTime() <= Date.now()

const KeyState = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  if (apiKey.revoked_at !== null) return <Status state="off">Revoked</Status>
  if (isExpired(apiKey)) return <Status state="off">Expired</Status>
  if (isUnused(apiKey)) return <Status state="attention">{unusedWords}</Status>
  return <Status state="ok">Active</Status>
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
  cell: ({ id, name }) => (
    <Link href={`/logs?key=${id}`} aria-label={`Calls of ${name}: ${calls?.get(id) ?? 0}`}>
      {calls?.get(id)?.toLocaleString() ?? 0}
    </Link>
  )
})

const states = [
  { value: "unused", title: unusedWords },
  { value: "revoked", title: "Revoked" },
  { value: "all", title: "All" }
]

export const Keys = () => {
  const { isAdmin } = useSession()
  const [state, setState] = useUrlState("state")
  const [make, setMake] = useUrlState("make")
  const [changing, setChanging] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const keys = useKeys()
  const members = useMembers(isAdmin)
  const calls = useCallsByKey(isAdmin)
  const memberOf = useById(members.data)
  const columns: ReadonlyArray<Column<ApiKey>> = [
    nameColumn("Name", ({ name }) => name),
    { title: "State", cell: (apiKey) => <KeyState apiKey={apiKey} /> },
    {
      title: "Access",
      sortBy: ({ access }) => access,
      cell: (key) => <AccessCell rights={key} />
    },
    ...isAdmin ? [memberColumn(memberOf)] : [],
    { title: "Ends in", spare: true, cell: ({ hint }) => <code>…{hint}</code> },
    timeColumn("Last used", ({ last_used_at }) => last_used_at, { never: "never used" }),
    ...hasStats ? [callsColumn(calls.data)] : [],
    timeColumn("Expires", ({ expires_at }) => expires_at, { minor: true }),
    madeColumn,
    actionsColumn((apiKey) => ({
      id: apiKey.id,
      name: apiKey.name,
      actions: apiKey.revoked_at !== null ? [] : [
        { title: "Change", label: `Change ${apiKey.name}`, onSelect: () => setChanging(apiKey) },
        { title: "Revoke", label: `Revoke ${apiKey.name}`, onSelect: () => setRevoking(apiKey) }
      ]
    }))
  ]
  const makeButton = <button type="button" className="primary" onClick={() => setMake("key")}>Make a key</button>
  return (
    <ListPage
      title="API keys"
      about="A key lets a script, a server or an agent make calls."
      actions={makeButton}
      what="key"
      list={keys}
      columns={columns}
      searchedTexts={(key) => [key.name, key.hint, key.id, memberOf(key.member_id)?.email]}
      filters={
        <SelectFilter
          label="State"
          all="Active"
          options={states}
          value={state}
          onChange={setState}
        />
      }
      keep={(key) =>
        state === "all" || (state === "revoked") === (key.revoked_at !== null) && (state !== "unused" || isUnused(key))}
      none={<Empty action={makeButton}>No keys yet. A key lets a script make calls.</Empty>}
    >
      {make !== "" && <MakeKey onClose={() => setMake("")} />}
      {changing && <ChangeKey apiKey={changing} onClose={() => setChanging(undefined)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </ListPage>
  )
}

const RevokeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const revoke = useServiceMutation((service, id: string) => service.keys.revoke({ params: { id } }), ["keys"])
  return (
    <Confirm
      title={`Revoke ${apiKey.name}?`}
      action={`Revoke ${apiKey.name}`}
      busy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate(apiKey.id, { onSuccess: onClose })}
    >
      <p>
        Calls with this key fail from the moment it is revoked. It was {apiKey.last_used_at === null ? "never used" : (
          <>
            last used <Time at={apiKey.last_used_at} />
          </>
        )}.
      </p>
    </Confirm>
  )
}
