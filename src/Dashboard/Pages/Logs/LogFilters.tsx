import { Effect } from "effect"
import { useId, useState } from "react"
import { dayInMillis } from "../../Parts/Day.ts"
import { SearchField, SelectFilter } from "../../Parts/Filters.tsx"
import { useProviderName } from "../../Parts/Provider.tsx"
import { readStats } from "../../Service/Calls.ts"
import { useClients, useConnections, useGrants, useKeys, useMembers, useProviders } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { type CallFilterState, filterOfId, periods } from "./Filter.ts"

const outcomes = [{ value: "ok", title: "Succeeded" }, { value: "error", title: "Failed" }]

const cacheChoices = [{ value: "yes", title: "From the cache" }, { value: "no", title: "From the provider" }]

const errorCodes = [
  "credentials_expired",
  "credentials_rejected",
  "connection_inactive",
  "connection_ambiguous",
  "connection_not_found",
  "invalid_input",
  "read_only",
  "rate_limited",
  "upstream_error",
  "upstream_unreachable",
  "internal_error"
]

const lessCommon = ["cached", "connection", "error", "key", "member", "agent"] as const

const weekInMillis = 7 * dayInMillis

const useCalledTargets = () => {
  const { isAdmin } = useSession()
  return useServiceQuery(["stats", "targets"], (service) =>
    Effect.map(
      readStats(service, isAdmin, {
        since: new Date(Date.now() - weekInMillis),
        bucket: "day",
        group_by: "target"
      }),
      ({ buckets }) => [...new Set(buckets.flatMap(({ group }) => group ?? []))].toSorted()
    ))
}

const withoutKind = (target: string) => target.replace(/^\w+:/, "")

const Chip = ({ onEnd, text }: { readonly text: string; readonly onEnd: () => void }) => (
  <button type="button" className="chip" aria-label={`Stop filtering by ${text}`} onClick={onEnd}>
    <code>{text}</code> ×
  </button>
)

export const LogFilters = ({ onOpen, state: { clear, get, isFiltered, set } }: {
  readonly state: CallFilterState
  readonly onOpen: (callId: string) => void
}) => {
  const { isAdmin } = useSession()
  const [text, setText] = useState("")
  const [notFound, setNotFound] = useState<string>()
  const targetListId = useId()
  const providers = useProviders()
  const clients = useClients()
  const connections = useConnections()
  const keys = useKeys()
  const providerName = useProviderName()
  const grants = useGrants()
  const members = useMembers(isAdmin)
  const targets = useCalledTargets().data ?? []
  const [since, until, target, resource] = [get("since"), get("until"), get("target"), get("resource")]
  const [more, setMore] = useState(false)
  const showsAll = more || lessCommon.some((name) => get(name) !== "")

  const find = (words: string) => {
    const id = words.trim()
    const filter = filterOfId(id)
    const found = targets.find((each) => withoutKind(each) === id) ?? targets.find((each) => each.includes(id))
    if (id === "") return
    if (id.startsWith("call_")) onOpen(id)
    else if (filter) set({ [filter]: id })
    else if (found) set({ target: found })
    else {return setNotFound(
        "No operation of the last week has this name, and it is neither an id nor a resource such as gsc:sc-domain:acme.com."
      )}
    setText("")
  }
  const times = since === "" && until === ""
    ? []
    : [{
      value: "chosen",
      title: [since, until].map((time) => time.slice(0, 16).replace("T", " ")).join(" – ") + " UTC"
    }]
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        find(text)
      }}
    >
      <SearchField
        label="Find an operation, a resource or an id"
        placeholder="Operation, resource or id"
        list={targetListId}
        value={text}
        onChange={(next) => {
          setNotFound(undefined)
          setText(next)
          if (targets.some((each) => withoutKind(each) === next)) find(next)
        }}
      />
      <datalist id={targetListId}>
        {targets.map((each) => <option key={each} value={withoutKind(each)} />)}
      </datalist>
      {target !== "" && <Chip text={withoutKind(target)} onEnd={() => set({ target: "" })} />}
      {resource !== "" && <Chip text={resource} onEnd={() => set({ resource: "" })} />}
      <SelectFilter
        label="Provider"
        all="All providers"
        options={(providers.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
        value={get("provider")}
        onChange={(provider) => set({ provider })}
      />
      <SelectFilter
        label="Outcome"
        all="All outcomes"
        options={outcomes}
        value={get("outcome")}
        onChange={(outcome) => set({ outcome })}
      />
      <SelectFilter
        label="Time"
        all="Any time"
        options={[...Object.entries(periods).map(([value, { title }]) => ({ value, title })), ...times]}
        value={times.length > 0 ? "chosen" : get("period")}
        onChange={(next) => set({ period: next, since: "", until: "" })}
      />
      <SelectFilter
        label="Client"
        all="All clients"
        options={(clients.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
        value={get("client")}
        onChange={(client) => set({ client })}
      />
      {showsAll && (
        <>
          <SelectFilter
            label="Connection"
            all="All connections"
            options={(connections.data ?? []).map(({ external_account, id, label, provider }) => ({
              value: id,
              title: [label, providerName(provider), external_account].filter(Boolean).join(" · ")
            }))}
            value={get("connection")}
            onChange={(connection) => set({ connection })}
          />
          <SelectFilter
            label="Error"
            all="All errors"
            options={errorCodes.map((code) => ({ value: code, title: code }))}
            value={get("error")}
            onChange={(next) => set({ error: next })}
          />
          <SelectFilter
            label="Key"
            all="All keys"
            options={(keys.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
            value={get("key")}
            onChange={(next) => set({ key: next })}
          />
          <SelectFilter
            label="Agent"
            all="All agents"
            options={(grants.data ?? []).map(({ agent, id }) => ({ value: id, title: agent.name }))}
            value={get("agent")}
            onChange={(next) => set({ agent: next })}
          />
          {isAdmin && (
            <SelectFilter
              label="Member"
              all="All members"
              options={(members.data ?? []).map(({ email, id }) => ({ value: id, title: email }))}
              value={get("member")}
              onChange={(next) => set({ member: next })}
            />
          )}
          <SelectFilter
            label="Cache"
            all="Cached or not"
            options={cacheChoices}
            value={get("cached")}
            onChange={(next) => set({ cached: next })}
          />
        </>
      )}
      <button type="button" className="quiet" aria-expanded={showsAll} onClick={() => setMore(!more)}>
        {showsAll ? "Fewer filters" : "More filters"}
      </button>
      {isFiltered && <button type="button" className="quiet" onClick={clear}>Clear</button>}
      {notFound !== undefined && <p className="field-error" role="alert">{notFound}</p>}
    </form>
  )
}
