import { Effect } from "effect"
import { useState } from "react"
import type { ApiKey } from "../../../Domain/ApiKey.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { Filters, matches, SearchField, SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Status } from "../../Parts/Status.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useKeys, useMembers } from "../../Service/Lists.ts"
import { useAnswer, useChange } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { MakeKey } from "./MakeKey.tsx"

const unusedAfterDays = 30
const dayInMillis = 86_400_000

export const isUnused = ({ created_at, last_used_at }: ApiKey): boolean =>
  Date.now() - (last_used_at ?? created_at).getTime() > unusedAfterDays * dayInMillis

const KeyState = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  if (apiKey.revoked_at !== null) return <Status state="off">Revoked</Status>
  if (isUnused(apiKey)) return <Status state="attention">Unused for {unusedAfterDays} days</Status>
  return <Status state="ok">Active</Status>
}

/** Calls of each key over the last 30 days. */
const useCallsByKey = (isAdmin: boolean) =>
  useAnswer(["stats", "keys"], ({ adminStats, stats }) =>
    Effect.gen(function*() {
      const since = new Date(Date.now() - unusedAfterDays * dayInMillis)
      const { buckets } = yield* (isAdmin ? adminStats : stats).read({
        query: { since, bucket: "day", group_by: "key" }
      })
      const byKey = new Map<string | null, number>()
      for (const { calls, group } of buckets) byKey.set(group, (byKey.get(group) ?? 0) + calls)
      return byKey
    }))

const accessWords = { read_only: "Read-only", read_write: "Read and write" }

export const Keys = () => {
  const { isAdmin } = useSession()
  const [search, setSearch] = useUrlState("search")
  const [state, setState] = useUrlState("state")
  const [make, setMake] = useUrlState("make")
  const [revoking, setRevoking] = useState<ApiKey>()
  const keys = useKeys()
  const members = useMembers(isAdmin)
  const calls = useCallsByKey(isAdmin)
  const emailOf = (id: string) => members.data?.find((member) => member.id === id)?.email ?? null
  const shown = keys.data?.filter((key) =>
    (state === "all" || (state === "revoked") === (key.revoked_at !== null)) &&
    matches(search, [key.name, key.hint, key.id, emailOf(key.member_id)])
  )
  const columns: ReadonlyArray<Column<ApiKey>> = [
    { title: "Name", cell: ({ name }) => <span className="name" title={name}>{name}</span> },
    { title: "State", cell: (apiKey) => <KeyState apiKey={apiKey} /> },
    { title: "Access", cell: ({ access }) => <span className="nowrap">{accessWords[access]}</span> },
    ...isAdmin
      ? [{
        title: "Member",
        minor: true,
        cell: ({ member_id }: ApiKey) => (
          <span className="owner" title={emailOf(member_id) ?? ""}>{emailOf(member_id)}</span>
        )
      }]
      : [],
    { title: "Ends in", minor: true, cell: ({ hint }) => <code>…{hint}</code> },
    { title: "Last used", cell: ({ last_used_at }) => <Time at={last_used_at} never="never used" /> },
    {
      title: "Calls in 30 days",
      kind: "number",
      minor: true,
      cell: ({ id }) => calls.data?.get(id)?.toLocaleString() ?? 0
    },
    { title: "Made", minor: true, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: "Actions",
      kind: "actions",
      cell: (apiKey) =>
        apiKey.revoked_at === null && (
          <button
            type="button"
            onClick={() => setRevoking(apiKey)}
            aria-label={`Revoke ${apiKey.name}`}
          >
            Revoke
          </button>
        )
    }
  ]
  const makeButton = <button type="button" className="primary" onClick={() => setMake("key")}>Make a key</button>
  return (
    <Page title="API keys" about="A key lets a script, a server or an agent make calls." actions={makeButton}>
      <Filters count={shown?.length}>
        <SearchField label="Search keys" value={search} onChange={setSearch} />
        <SelectFilter
          label="State"
          all="Active"
          options={[{ value: "revoked", title: "Revoked" }, { value: "all", title: "All" }]}
          value={state}
          onChange={setState}
        />
      </Filters>
      <Table
        label="API keys"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={keys.error}
        reloading={keys.isFetching}
        empty={keys.data?.length === 0
          ? <Empty action={makeButton}>No keys yet. A key lets a script make calls.</Empty>
          : <Empty>No key matches these filters.</Empty>}
      />
      {make !== "" && <MakeKey onClose={() => setMake("")} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

const RevokeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const revoke = useChange((service, id: string) => service.keys.revoke({ params: { id } }), ["keys"])
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
