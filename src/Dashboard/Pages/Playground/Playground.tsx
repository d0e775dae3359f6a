import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Option, Schema } from "effect"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { CallRequest, type CallResponse } from "../../../Api/CallApi.ts"
import { curlOf, oaOf, typescriptOf } from "../../Parts/CallText.ts"
import { CopyButton } from "../../Parts/CopyButton.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { Field } from "../../Parts/Field.tsx"
import { mistakesOf } from "../../Parts/Mistakes.ts"
import { Page } from "../../Parts/Page.tsx"
import { Prose } from "../../Parts/Prose.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useConnections } from "../../Service/Lists.ts"
import { useAnswer } from "../../Service/Queries.ts"
import { run, service, type ServiceError, writingService } from "../../Service/Service.ts"
import { Answer } from "./Answer.tsx"
import { JsonEditor } from "./JsonEditor.tsx"
import { OperationList } from "./OperationList.tsx"
import { type Operation, operationKey, useOperations } from "./Operations.ts"
import { type Input, ToolForm } from "./ToolForm.tsx"

const decodeRequest = Schema.decodeUnknownOption(CallRequest)

/** The request of a logged call, to be made again. */
const useLoggedRequest = (callId: string) => {
  const { data } = useAnswer(["call", callId], ({ logs }) => logs.get({ params: { call_id: callId } }), {
    enabled: callId !== ""
  })
  return data && Option.getOrUndefined(decodeRequest(data.request))
}

export const Playground = () => {
  const [selected, setSelected] = useUrlState("operation")
  const [callId, setCallId] = useUrlState("call")
  const operations = useOperations()
  const logged = useLoggedRequest(callId)
  const key = logged && callId !== ""
    ? operationKey(
      logged.provider,
      logged.tool === undefined ? "endpoint" : "tool",
      logged.tool ?? logged.endpoint ?? ""
    )
    : selected
  const operation = operations.data?.find((each) => each.key === key)
  const select = (next: Operation) => {
    setCallId("")
    setSelected(next.key)
  }
  return (
    <Page title="Playground" about="Try any operation. Calls are read-only until you allow one to write.">
      {operations.error && <ErrorNotice error={operations.error} />}
      <div className="playground">
        <OperationList operations={operations.data} selected={operation?.key} onSelect={select} />
        {operation
          ? <Call key={`${operation.key} ${logged ? callId : ""}`} operation={operation} logged={logged} />
          : <p className="muted">Choose an operation to see what it takes.</p>}
      </div>
    </Page>
  )
}

/** The first sentence; the others on request. */
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

const Call = ({ logged, operation }: { readonly operation: Operation; readonly logged: CallRequest | undefined }) => {
  const [input, setInput] = useState<Input>(logged?.input ?? {})
  const [text, setText] = useState(() => JSON.stringify(logged?.input ?? {}, null, 2))
  const [connectionId, setConnectionId] = useState<string>(logged?.connection_id ?? "")
  const [maxAge, setMaxAge] = useState("")
  const [writes, setWrites] = useState(false)
  const [textMistake, setTextMistake] = useState<string>()
  const queries = useQueryClient()
  const connections = useConnections()
  const usable = connections.data?.filter((each) => each.provider === operation.provider && each.status === "active")
  const call = useMutation<CallResponse, ServiceError, CallRequest>({
    mutationFn: (payload) => run((writes ? writingService : service).call.call({ payload })),
    onSettled: () => {
      setWrites(false)
      return Promise.all(["newest", "connections"].map((name) => queries.invalidateQueries({ queryKey: [name] })))
    }
  })
  useEffect(() => setTextMistake(undefined), [text])
  const answer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!call.isIdle && !call.isPending) answer.current?.scrollIntoView({ block: "nearest" })
  }, [call.isIdle, call.isPending])

  const requestOf = (body: Input): CallRequest => ({
    provider: operation.provider,
    [operation.kind]: operation.name,
    ...Object.keys(body).length > 0 && { input: body },
    ...connectionId !== "" && { connection_id: connectionId },
    ...maxAge !== "" && { max_age: Number(maxAge) }
  })
  const written = (): Input | undefined => {
    if (operation.kind === "tool") return input
    try {
      return JSON.parse(text)
    } catch (error) {
      setTextMistake(String(error))
      return undefined
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = written()
    if (body) call.mutate(requestOf(body))
  }
  const mistakes = mistakesOf(call.error)
  const request = call.variables ?? requestOf(input)
  return (
    <>
      <form className="panel" onSubmit={submit} aria-label="Input">
        <div className="panel-head">
          <h2 className="mono">{operation.name}</h2>
        </div>
        <div className="panel-body stack">
          <Description text={operation.description} />
          <Field label="Connection" mistake={mistakes.get("connection_id")}>
            {(attributes) => (
              <select
                {...attributes}
                required={usable !== undefined && usable.length > 1}
                value={connectionId}
                onChange={(event) => setConnectionId(event.target.value)}
              >
                <option value="">
                  {usable === undefined || usable.length > 1
                    ? `Choose one of ${operation.provider}`
                    : `The only one of ${operation.provider}`}
                </option>
                {usable?.map(({ external_account, id, label }) => (
                  <option key={id} value={id}>{label}{external_account && ` (${external_account})`}</option>
                ))}
              </select>
            )}
          </Field>
          {operation.kind === "tool"
            ? <ToolForm schema={operation.inputSchema} input={input} mistakes={mistakes} onChange={setInput} />
            : (
              <div className="field">
                <span className="label">Input</span>
                <span className="help">path, query and body. Ctrl Space lists the fields.</span>
                <JsonEditor label="Input" schema={operation.inputSchema} text={text} onChange={setText} />
                {textMistake !== undefined && <span className="mistake" role="alert">{textMistake}</span>}
                {[...mistakes].map(([path, message]) => (
                  <span key={path} className="mistake">
                    <code>{path}</code> {message}
                  </span>
                ))}
              </div>
            )}
          {!operation.writes && (
            <Field
              label="Accept a cached answer (optional)"
              help="Seconds that the answer may be old."
              mistake={mistakes.get("max_age")}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  type="number"
                  min={0}
                  value={maxAge}
                  onChange={(event) => setMaxAge(event.target.value)}
                />
              )}
            </Field>
          )}
          <div className="row-of">
            <button className="primary" disabled={call.isPending || operation.writes && !writes}>Call</button>
            {operation.writes && (
              <label className="row-of">
                <input type="checkbox" checked={writes} onChange={(event) => setWrites(event.target.checked)} />
                Let this one call write
              </label>
            )}
          </div>
          <div className="row-of">
            <CopyButton label="Copy as curl" text={curlOf(location.origin, request)} />
            <CopyButton label="Copy as TypeScript" text={typescriptOf(location.origin, request)} />
            <CopyButton label="Copy as oa" text={oaOf(location.origin, request)} />
          </div>
        </div>
      </form>
      <section ref={answer} className="panel" aria-label="Answer" aria-busy={call.isPending}>
        <div className="panel-head">
          <h2>Answer</h2>
        </div>
        <div className="panel-body">
          <Answer response={call.data} error={call.error} />
        </div>
      </section>
    </>
  )
}
