// Made by `manage.py frame_types` from the schemas of the frames (docs/wire-protocol.md); a test holds both together.

export interface DialogueClientTurnSend {
  key: string;
  text: string;
  type: "turn.send";
}

export interface DialogueClientTurnRetry {
  turn: number;
  type: "turn.retry";
}

export interface DialogueClientSubtaskClose {
  subtask: number;
  finished: boolean;
  type: "subtask.close";
}

export interface DialogueClientDialogueEnd {
  reason: "done" | "gave_up";
  type: "dialogue.end";
}

export interface DialogueClientPing {
  type: "ping";
}

export interface DialogueServerTurnAccepted {
  seq: number;
  turn: number;
  key: string;
  text: string;
  subtask: number;
  turns_used: number;
  type: "turn.accepted";
}

export interface DialogueServerReplyDone {
  seq: number;
  turn: number;
  texts: Array<string>;
  latency_ms: number;
  flags?: Array<string> | null;
  choices?: Array<string> | null;
  type: "reply.done";
}

export interface DialogueServerTurnFailed {
  type: "turn.failed";
  seq: number;
  turn: number;
  kind: string;
  fault: string;
  retryable: boolean;
  retries_left: number;
  message: string;
}

export interface DialogueServerTurnRetried {
  seq: number;
  turn: number;
  type: "turn.retried";
}

export interface DialogueServerSubtaskClosed {
  seq: number;
  subtask: number;
  status: string;
  type: "subtask.closed";
}

export interface DialogueServerDialogueClosed {
  seq: number;
  status: string;
  reason: string;
  because?: string | null;
  type: "dialogue.closed";
}

export interface DialogueServerDialogueReturned {
  seq: number;
  because: string;
  type: "dialogue.returned";
}

export interface DialogueServerDialogueVoided {
  seq: number;
  because: string;
  type: "dialogue.voided";
}

export interface DialogueServerDialogueRestored {
  seq: number;
  status: string;
  reason: string;
  because: string;
  type: "dialogue.restored";
}

export interface DialogueServerFaultBooked {
  seq: number;
  turn: number;
  fault: string;
  because: string;
  type: "fault.booked";
}

export interface DialogueServerDialogueState {
  status: string;
  turns_used: number;
  turn_cap: number;
  subtasks: Array<SubtaskState>;
  last_seq: number;
  waiting?: number | null;
  reason?: string;
  turns_are?: string;
  opened_by?: string;
  epoch?: string;
  tester_kind?: string;
  type: "dialogue.state";
}

export interface DialogueServerReplyDelta {
  turn: number;
  text: string;
  type: "reply.delta";
}

export interface DialogueServerTurnWaiting {
  turn: number;
  place: number;
  type: "turn.waiting";
}

export interface DialogueServerError {
  code: string;
  message: string;
  key?: string;
  type: "error";
}

export interface DialogueServerNotices {
  notices: Array<Notice>;
  type: "notices";
}

export interface DialogueServerPong {
  type: "pong";
}

export interface SubtaskState {
  index: number;
  kind: string;
  turns_used: number;
  turn_cap: number | null;
  status: string;
}

export interface Notice {
  id: number;
  zh: string;
  en: string;
  at: string;
  until: string | null;
}

export interface DialogueServerFrames {
  "turn.accepted": DialogueServerTurnAccepted;
  "reply.done": DialogueServerReplyDone;
  "turn.failed": DialogueServerTurnFailed;
  "turn.retried": DialogueServerTurnRetried;
  "subtask.closed": DialogueServerSubtaskClosed;
  "dialogue.closed": DialogueServerDialogueClosed;
  "dialogue.returned": DialogueServerDialogueReturned;
  "dialogue.voided": DialogueServerDialogueVoided;
  "dialogue.restored": DialogueServerDialogueRestored;
  "fault.booked": DialogueServerFaultBooked;
  "dialogue.state": DialogueServerDialogueState;
  "reply.delta": DialogueServerReplyDelta;
  "turn.waiting": DialogueServerTurnWaiting;
  "error": DialogueServerError;
  "notices": DialogueServerNotices;
  "pong": DialogueServerPong;
}

export interface DialogueClientFrames {
  "turn.send": DialogueClientTurnSend;
  "turn.retry": DialogueClientTurnRetry;
  "subtask.close": DialogueClientSubtaskClose;
  "dialogue.end": DialogueClientDialogueEnd;
  "ping": DialogueClientPing;
}

export interface WallServerWallState {
  at: string;
  sections: AllSections;
  titles: Record<string, string>;
  needs: Array<NeedShown> | null;
  type: "wall.state";
}

export interface WallServerWallChanged {
  type: "wall.changed";
  at: string;
  rows: SomeSections;
  gone: Record<string, Array<string>>;
}

export interface WallServerWallNeeds {
  type: "wall.needs";
  at: string;
  needs: Array<NeedShown>;
}

export interface AllSections {
  figures: Record<string, Figures>;
  dialogues: Record<string, TalkRow>;
  bots: Record<string, BotRow>;
  testers: Record<string, TesterRow>;
}

export interface Figures {
  done: number;
  needed: number | null;
  today: number;
  unscored: number;
  live: number;
  waiting_for_bots: number;
  failing: Array<string>;
  failed: number;
  called: number;
  left: number | null;
  hours_left: number | null;
  pace_hours: number;
  pace_since: string | null;
  closes_at: string | null;
}

export interface TalkRow {
  tester: string;
  bot: string;
  scenario: string;
  part: number;
  parts: number;
  turns: number;
  cap: number;
  waits_for: "bot" | "tester";
  attempt: number;
  since: string;
  until: string;
}

export interface BotRow {
  state: "normal" | "not_asked" | "failing" | "paused" | "withdrawn";
  since: string | null;
  because: string;
  answered: number;
  failed: number;
  excused: number;
  in_a_row: number;
  p50_ms: number | null;
  p95_ms: number | null;
  strip: Array<Array<number>>;
  last_failure: FailureShown | null;
  done: number;
  assigned: number;
  live: number;
}

export interface FailureShown {
  at: string;
  kind: string;
  fault: string;
  dialogue: string;
  turn: number;
}

export interface TesterRow {
  done: number;
  today: number;
  unscored: number;
  per_hour: number | null;
  seen_at: string | null;
  assigned: number;
  talking: Array<string>;
  online: boolean;
}

export interface NeedShown {
  key: string;
  since: string | null;
  text: string;
  who: string;
  until: string;
  url: string;
  act: string;
}

export interface SomeSections {
  figures?: Record<string, Figures>;
  dialogues?: Record<string, TalkRow>;
  bots?: Record<string, BotRow>;
  testers?: Record<string, TesterRow>;
}

export interface WallServerFrames {
  "wall.state": WallServerWallState;
  "wall.changed": WallServerWallChanged;
  "wall.needs": WallServerWallNeeds;
}

export interface WallClientFrames {

}
