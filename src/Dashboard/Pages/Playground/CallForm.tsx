import { useEffect, useMemo, useRef, useState } from "react"
import type { CallRequest } from "../../../Api/Calls/CallApi.ts"
import { AskAll } from "../../Frame/ServedPages.ts"
import { curlOf, oaOf, typescriptOf } from "../../Parts/CallText.ts"
import { CopyButton } from "../../Parts/CopyButton.tsx"
import { TextField } from "../../Parts/Field.tsx"
import { fieldErrors, issuesOf } from "../../Parts/FieldErrors.ts"
import { submitting } from "../../Parts/Form.ts"
import { loadLater } from "../../Parts/LoadLater.tsx"
import { MoreOptions } from "../../Parts/MoreOptions.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { useConnections } from "../../Service/Lists.ts"
import { useServiceMutation } from "../../Service/Queries.ts"
import { featuresOff, serviceUrl } from "../../Service/ServedPage.ts"
import { service, writingService } from "../../Service/Service.ts"
import { ConnectionField } from "./ConnectionField.tsx"
import type { Operation } from "./Operations.ts"
import { ResponseView } from "./ResponseView.tsx"
import type { Input } from "./ToolField.ts"
import { ToolForm } from "./ToolForm.tsx"

/** Loaded later: the largest part of the dashboard. */
const JsonEditor = loadLater(
  async () => (await import("./CodeMirrorEditor.tsx")).CodeMirrorEditor,
  <div className="editor" aria-busy />
)

const Description = ({ text }: { readonly text: string }) => {
  const [, first = text, rest = ""] = /^(.*?\.)\s+(.*)$/s.exec(text) ?? []
  return (
    <div className="muted">
      <p>
        <Prose text={first} />
      </p>
      {rest !== "" && (
        <details>
          <summary>More about it</summary>
          <p>
            <Prose text={rest} />
          </p>
        </details>
      )}
    </div>
  )
}

const isInput = (value: unknown): value is Input => typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (text: string): { readonly input?: Input; readonly error?: string } => {
  try {
    const input: unknown = JSON.parse(text)
    return isInput(input) ? { input } : { error: "The input is an object, such as {}." }
  } catch (error) {
    return { error: String(error) }
  }
}

const useCall = () =>
  useServiceMutation(
    (_, { request, writes }: { readonly request: CallRequest; readonly writes: boolean }) =>
      (writes ? writingService : service).call.call({ payload: request }),
    ["newest", "connections"]
  )

export const CallForm = ({ connectionId: firstConnectionId, initial, onLeave, operation }: {
  readonly onLeave: () => void
  readonly operation: Operation
  readonly initial: CallRequest | undefined
  readonly connectionId: string
}) => {
  const [input, setInput] = useState<Input>(initial?.input ?? {})
  const [text, setText] = useState(() => JSON.stringify(initial?.input ?? {}, null, 2))
  const [wantedConnection, setWantedConnection] = useState<string>(initial?.connection_id ?? firstConnectionId)
  const [maxAge, setMaxAge] = useState("")
  const [writes, setWrites] = useState(false)
  const [textError, setTextError] = useState<string>()
  const [asksAll, setAsksAll] = useState<CallRequest>()
  const call = useCall()
  const send = (request: CallRequest, writes: boolean) =>
    call.mutate({ request, writes }, { onSettled: () => setWrites(false) })
  const connections = useConnections().data?.filter(({ provider }) => provider === operation.provider)
  const connection = connections?.find(({ id }) => id === wantedConnection)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!call.isIdle && !call.isPending) section.current?.scrollIntoView({ block: "nearest" })
  }, [call.isIdle, call.isPending])

  const requestOf = (body: Input): CallRequest => ({
    provider: operation.provider,
    [operation.kind]: operation.name,
    ...Object.keys(body).length > 0 && { input: body },
    ...connection && { connection_id: connection.id },
    ...maxAge !== "" && { max_age: Number(maxAge) }
  })
  const written = (): Input | undefined => {
    if (operation.kind === "tool") return input
    const parsed = parse(text)
    setTextError(parsed.error)
    return parsed.input
  }
  const submit = submitting(() => {
    const body = written()
    setAsksAll(undefined)
    if (body) send(requestOf(body), writes)
  })
  const preview = () => {
    const body = written()
    if (body) send({ ...requestOf(body), dry_run: true }, true)
  }
  const askAll = () => {
    const body = written()
    if (body) setAsksAll(requestOf(body))
  }
  const errors = fieldErrors(call.error, ["connection_id", "max_age", "input"])
  const issues = useMemo(
    () =>
      issuesOf(call.error).flatMap(({ message, path: [first, ...path] }) =>
        first === "input" ? [{ message, path }] : []
      ),
    [call.error]
  )
  const age = operation.writes ? undefined : (
    <TextField
      label="Accept a cached response"
      help="Seconds that the response may be old."
      error={errors.of("max_age")}
      type="number"
      min={0}
      value={maxAge}
      onChange={setMaxAge}
    />
  )
  const usable = connections?.filter(({ status }) => status === "active")
  const account = connection ?? (usable?.length === 1 ? usable[0] : undefined)
  const request = call.variables?.request ?? requestOf(operation.kind === "tool" ? input : parse(text).input ?? {})
  const isUndecided = wantedConnection !== "" && connections === undefined
  return (
    <>
      <form className="panel" onSubmit={submit} aria-label="Input">
        <div className="panel-head">
          <h2 className="mono">{operation.name}</h2>
          <span className="row-of">
            <span className="meta">{operation.writes ? "Writes" : "Reads"}</span>
            <button type="button" className="small narrow-only" onClick={onLeave}>All operations</button>
          </span>
        </div>
        <div className="panel-body stack">
          <Description text={operation.description} />
          <ConnectionField
            provider={operation.provider}
            connections={connections}
            chosen={connection}
            error={errors.of("connection_id")}
            onChange={setWantedConnection}
          />
          {operation.kind === "tool"
            ? (
              <ToolForm
                account={{ provider: operation.provider, connectionId: account?.id }}
                schema={operation.inputSchema}
                input={input}
                issues={issues}
                onChange={setInput}
              >
                {age}
              </ToolForm>
            )
            : (
              <div className="field">
                <span className="label">Input</span>
                <span className="help">
                  path, query and body. Ctrl Space lists the fields, the pointer explains them.
                </span>
                <JsonEditor
                  label="Input"
                  schema={operation.inputSchema}
                  text={text}
                  issues={issues}
                  onChange={(next) => {
                    setTextError(undefined)
                    setText(next)
                  }}
                />
                {textError !== undefined && <span className="field-error" role="alert">{textError}</span>}
                {issues.map(({ message, path }) => (
                  <span key={path.join(".")} className="field-error">
                    <code>{path.join(".")}</code> {message}
                  </span>
                ))}
              </div>
            )}
          {operation.kind === "endpoint" && age && <MoreOptions count={1}>{age}</MoreOptions>}
        </div>
        <div className="panel-foot">
          <button className="primary" disabled={isUndecided || call.isPending || operation.writes && !writes}>
            Call
          </button>
          {!operation.writes && AskAll && <button type="button" onClick={askAll}>Ask all clients</button>}
          {operation.writes && !featuresOff.includes("preview") && (
            <button type="button" disabled={isUndecided || call.isPending} onClick={preview}>Preview</button>
          )}
          {operation.writes && (
            <label className="row-of">
              <input type="checkbox" checked={writes} onChange={(event) => setWrites(event.target.checked)} />
              Let this one call write
            </label>
          )}
        </div>
      </form>
      <section
        ref={section}
        className={call.isIdle && !asksAll ? "panel is-idle" : "panel"}
        aria-label="Response"
        aria-busy={call.isPending}
      >
        <div className="panel-head">
          <h2>{asksAll ? "All clients" : "Response"}</h2>
          {!asksAll && (
            <span className="row-of">
              <span className="meta" aria-hidden="true">Copy as</span>
              <CopyButton className="small" label="curl" what="as curl" text={curlOf(serviceUrl, request)} />
              <CopyButton
                className="small"
                label="TypeScript"
                what="as TypeScript"
                text={typescriptOf(serviceUrl, request)}
              />
              <CopyButton className="small" label="oa" what="as oa" text={oaOf(serviceUrl, request)} />
            </span>
          )}
        </div>
        <div className="panel-body">
          {asksAll && AskAll ? <AskAll key={JSON.stringify(asksAll)} request={asksAll} /> : (
            <ResponseView
              response={call.data}
              error={call.error}
              name={operation.name}
              request={request}
              read={!operation.writes}
            />
          )}
        </div>
      </section>
    </>
  )
}
