import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import type { CallFilter, LoggedCall } from "../../../Domain/Calls/Call.ts"
import { CallHistogram } from "../../Frame/ServedPages.ts"
import { isTyping } from "../../Frame/Shortcuts.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { ExportLink } from "../../Parts/ExportLink.tsx"
import { OlderButton } from "../../Parts/OlderButton.tsx"
import { Page } from "../../Parts/Page.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { listCalls } from "../../Service/Calls.ts"
import { useServicePages, useServiceQuery } from "../../Service/Queries.ts"
import { useSession } from "../../Session/Session.tsx"
import { CallDetail } from "./CallDetail.tsx"
import { CallList } from "./CallList.tsx"
import { useCallFilter } from "./Filter.ts"
import { LogFilters } from "./LogFilters.tsx"

const limit = 50

const useCalls = (filter: CallFilter, isAdmin: boolean) =>
  useServicePages(
    ["logs", isAdmin, filter],
    "calls",
    (service, page) => listCalls(service, isAdmin, { ...filter, ...page, limit })
  )

const useNewCalls = (filter: CallFilter, isAdmin: boolean, listed: ReadonlyArray<LoggedCall> | undefined) => {
  const newest = useServiceQuery(
    ["newest", isAdmin, filter],
    (service) => listCalls(service, isAdmin, { ...filter, limit }),
    { live: true }
  )
  if (listed === undefined || newest.data === undefined || newest.isPlaceholderData) return 0
  const top = listed[0]?.id ?? ""
  return newest.data.calls.filter(({ id }) => id > top).length
}

export const Logs = () => {
  const [selected, setSelected] = useUrlState("call")
  const { isAdmin } = useSession()
  const list = useRef<HTMLDivElement>(null)
  const queries = useQueryClient()
  const state = useCallFilter()
  const calls = useCalls(state.filter, isAdmin)
  const newCount = useNewCalls(state.filter, isAdmin, calls.isPlaceholderData ? undefined : calls.data)

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector("[role=dialog]")) return
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
          Every call, newest first.{" "}
          <span className="keys-help">
            <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>/</kbd> searches, <kbd>Esc</kbd> closes.
          </span>
        </>
      }
      actions={
        <>
          <button
            type="button"
            className={newCount > 0 ? "" : "hidden-but-there"}
            onClick={() => queries.resetQueries({ queryKey: ["logs"] })}
          >
            {newCount >= limit ? `${limit} or more` : newCount} new
          </button>
          <ExportLink path={isAdmin ? "/admin/v1/logs" : "/v1/logs"} filter={{ ...state.filter }} />
        </>
      }
    >
      <LogFilters state={state} onOpen={setSelected} />
      {CallHistogram && (
        <div className="histogram-place">
          <CallHistogram
            filter={state.filter}
            onChoose={(since, until) =>
              state.set({ period: "", since: since.toISOString(), until: until.toISOString() })}
          />
        </div>
      )}
      {calls.error && <ErrorNotice error={calls.error} isRead />}
      <div className={selected === "" ? "split" : "split open"}>
        <div ref={list} className={calls.isPlaceholderData || calls.isRefetching ? "table reloading" : "table"}>
          {calls.data?.length === 0 && (
            <Empty
              action={state.isFiltered
                ? <button type="button" onClick={state.clear}>Clear the filters</button>
                : <Link className="button" href="/playground">Make a call in the playground</Link>}
            >
              {state.isFiltered
                ? "No call matches these filters."
                : "No calls yet. A call appears here as soon as it is completed."}
            </Empty>
          )}
          {!(calls.error && calls.data === undefined) && (
            <CallList calls={calls.data} selected={selected} onSelect={setSelected} />
          )}
          <OlderButton pages={calls} what="calls" className="quiet older" />
        </div>
        {selected !== "" && (
          <CallDetail
            key={selected}
            id={selected}
            onSelect={setSelected}
            onClose={() => setSelected("")}
          />
        )}
      </div>
    </Page>
  )
}
