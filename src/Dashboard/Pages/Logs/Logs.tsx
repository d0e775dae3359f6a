import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import type { CallFilter, LoggedCall } from "../../../Domain/Call.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { SelectFilter } from "../../Parts/Filters.tsx"
import { Page } from "../../Parts/Page.tsx"
import { Status } from "../../Parts/Status.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useClients, useConnections, useProviders } from "../../Service/Lists.ts"
import { useAnswer } from "../../Service/Queries.ts"
import { run, type Service, service, type ServiceError } from "../../Service/Service.ts"
import { useSession } from "../../Session/Session.tsx"
import { CallDetail } from "./CallDetail.tsx"

const limit = 50
const outcomes = [{ value: "ok", title: "Answered" }, { value: "error", title: "Failed" }]

/** The errors that tell most about an account or a script. */
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

interface CallPage {
  readonly calls: ReadonlyArray<LoggedCall>
  readonly cursor: string | null
}

/** An admin sees all calls, also those that were refused without a member. */
const logsOf = ({ adminLogs, logs }: Service, isAdmin: boolean) => isAdmin ? adminLogs : logs

const useCalls = (filter: CallFilter, isAdmin: boolean) =>
  useInfiniteQuery<CallPage, ServiceError, ReadonlyArray<LoggedCall>, ReadonlyArray<unknown>, string | null>({
    queryKey: ["logs", isAdmin, filter],
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      run(
        logsOf(service, isAdmin).list({ query: { ...filter, limit, ...pageParam !== null && { cursor: pageParam } } }),
        signal
      ),
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap(({ calls }) => calls)
  })

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]")

export const Logs = () => {
  const [provider, setProvider] = useUrlState("provider")
  const [outcome, setOutcome] = useUrlState("outcome")
  const [client, setClient] = useUrlState("client")
  const [connection, setConnection] = useUrlState("connection")
  const [errorCode, setErrorCode] = useUrlState("error")
  const [selected, setSelected] = useUrlState("call")
  const { isAdmin } = useSession()
  const list = useRef<HTMLDivElement>(null)
  const queries = useQueryClient()
  const providers = useProviders()
  const clients = useClients()
  const connections = useConnections()
  const filter: CallFilter = {
    ...provider !== "" && { provider },
    ...(outcome === "ok" || outcome === "error") && { outcome },
    ...client !== "" && { client_id: client },
    ...connection !== "" && { connection_id: connection },
    ...errorCode !== "" && { error_code: errorCode }
  }
  const calls = useCalls(filter, isAdmin)
  const newest = useAnswer(
    ["newest", isAdmin, filter],
    (service) => logsOf(service, isAdmin).list({ query: { ...filter, limit } }),
    { live: true }
  )
  const top = calls.data?.[0]?.id ?? ""
  const newCount = calls.data ? newest.data?.calls.filter(({ id }) => id > top).length ?? 0 : 0
  const labelOf = (id: string | null) =>
    connections.data?.find((each) => each.id === id)?.label ?? id ?? "no connection"

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "Escape") return setSelected("")
      const step = { j: 1, k: -1 }[event.key]
      if (step === undefined || !calls.data) return
      const next = calls.data[Math.max(0, calls.data.findIndex(({ id }) => id === selected) + step)]
      if (!next) return
      setSelected(next.id)
      list.current?.querySelector(`[data-call="${next.id}"]`)?.scrollIntoView({ block: "nearest" })
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [calls.data, selected, setSelected])

  return (
    <Page
      title="Logs"
      about={
        <>
          Every call, newest first. <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Esc</kbd> closes.
        </>
      }
    >
      <div className="filters" role="search">
        <SelectFilter
          label="Provider"
          all="All providers"
          options={(providers.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          value={provider}
          onChange={setProvider}
        />
        <SelectFilter label="Outcome" all="All outcomes" options={outcomes} value={outcome} onChange={setOutcome} />
        <SelectFilter
          label="Client"
          all="All clients"
          options={(clients.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          value={client}
          onChange={setClient}
        />
        <SelectFilter
          label="Connection"
          all="All connections"
          options={(connections.data ?? []).map(({ id, label }) => ({ value: id, title: label }))}
          value={connection}
          onChange={setConnection}
        />
        <SelectFilter
          label="Error"
          all="All errors"
          options={errorCodes.map((code) => ({ value: code, title: code }))}
          value={errorCode}
          onChange={setErrorCode}
        />
        {newCount > 0 && (
          <button type="button" onClick={() => queries.invalidateQueries({ queryKey: ["logs"] })}>
            {newCount === limit ? `${limit} or more` : newCount} new
          </button>
        )}
      </div>
      {calls.error && <ErrorNotice error={calls.error} />}
      <div className={selected === "" ? "split" : "split open"}>
        <div ref={list} className={calls.isRefetching ? "table reloading" : "table"}>
          {calls.data?.length === 0 && <Empty>No calls match. A call appears here as soon as it is answered.</Empty>}
          <ul className="calls" aria-label="Calls">
            {calls.data?.map((call) => (
              <li key={call.id} data-call={call.id}>
                <button type="button" aria-pressed={call.id === selected} onClick={() => setSelected(call.id)}>
                  <CallState call={call} />
                  <span className="target mono">
                    {call.provider ?? ""} {call.target?.replace(/^\w+:/, "") ?? "unknown operation"}
                  </span>
                  <span className="meta where">{labelOf(call.connection_id)}</span>
                  <span className="meta number">
                    {call.cached && <span title="From the cache">●</span>}
                    {Math.round(call.latency_ms)} ms
                  </span>
                  <span className="meta">
                    <Time at={call.created_at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {calls.hasNextPage && (
            <button
              type="button"
              className="quiet"
              disabled={calls.isFetchingNextPage}
              onClick={() => calls.fetchNextPage()}
            >
              Older calls
            </button>
          )}
        </div>
        {selected !== "" && <CallDetail key={selected} id={selected} onClose={() => setSelected("")} />}
      </div>
    </Page>
  )
}

const CallState = ({ call: { error_code, http_status, outcome } }: { readonly call: LoggedCall }) =>
  outcome === "ok"
    ? <Status state="ok">{http_status}</Status>
    : <Status state="error">{http_status} {error_code}</Status>
