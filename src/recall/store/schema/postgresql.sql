CREATE TABLE card (
  id VARCHAR NOT NULL,
  note VARCHAR NOT NULL,
  deck VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  revision VARCHAR NOT NULL,
  tags VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  first_seen BIGINT NOT NULL,
  missing_since BIGINT,
  PRIMARY KEY (id)
);

CREATE INDEX card_deck ON card (deck, position);

CREATE INDEX card_note ON card (note);

CREATE TABLE card_state (
  card_id VARCHAR NOT NULL,
  deck VARCHAR NOT NULL,
  position INTEGER NOT NULL,
  absent BOOLEAN NOT NULL,
  state SMALLINT NOT NULL,
  step SMALLINT NOT NULL,
  stability FLOAT NOT NULL,
  difficulty FLOAT NOT NULL,
  due BIGINT NOT NULL,
  last_review BIGINT NOT NULL,
  last_day INTEGER NOT NULL,
  reps INTEGER NOT NULL,
  lapses INTEGER NOT NULL,
  suspended BOOLEAN NOT NULL,
  buried_until INTEGER NOT NULL,
  marked BOOLEAN NOT NULL,
  PRIMARY KEY (card_id)
);

CREATE INDEX state_due ON card_state (due, deck, card_id, state, stability, last_day, buried_until, position, suspended, absent) WHERE state > 0 AND NOT suspended AND NOT absent;

CREATE INDEX state_lapses ON card_state (lapses) WHERE lapses > 0;

CREATE INDEX state_new ON card_state (deck, position, card_id, buried_until, state, suspended, absent) WHERE state = 0 AND NOT suspended AND NOT absent;

CREATE TABLE content (
  pk SERIAL NOT NULL,
  note VARCHAR NOT NULL,
  text VARCHAR NOT NULL,
  file VARCHAR NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (pk),
  UNIQUE (note)
);

CREATE TABLE deck (
  deck VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  machine VARCHAR NOT NULL,
  file VARCHAR NOT NULL,
  modified_ns BIGINT NOT NULL,
  size BIGINT NOT NULL,
  cards INTEGER NOT NULL,
  hidden BOOLEAN NOT NULL,
  missing BOOLEAN NOT NULL,
  faults VARCHAR NOT NULL,
  options VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  as_of VARCHAR NOT NULL,
  PRIMARY KEY (deck)
);

CREATE TABLE event (
  id BIGINT NOT NULL,
  card_id VARCHAR NOT NULL,
  action BIGINT NOT NULL,
  machine VARCHAR NOT NULL,
  at BIGINT NOT NULL,
  offset_min SMALLINT NOT NULL,
  act VARCHAR NOT NULL,
  value BIGINT,
  text VARCHAR,
  voided BIGINT,
  PRIMARY KEY (id)
);

CREATE INDEX event_action ON event (action);

CREATE INDEX event_card ON event (card_id, id);

CREATE INDEX event_voided ON event (voided) WHERE voided IS NOT NULL;

CREATE TABLE machine (
  id VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  gpu_name VARCHAR,
  driver VARCHAR,
  runtime VARCHAR,
  cpu VARCHAR,
  memory_bytes BIGINT,
  first_seen BIGINT NOT NULL,
  last_seen BIGINT NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE measurement (
  id BIGINT NOT NULL,
  machine VARCHAR NOT NULL,
  check_name VARCHAR NOT NULL,
  check_version INTEGER NOT NULL,
  value FLOAT NOT NULL,
  unit VARCHAR NOT NULL,
  spread FLOAT NOT NULL,
  samples INTEGER NOT NULL,
  status VARCHAR NOT NULL,
  conditions VARCHAR NOT NULL,
  taken_at BIGINT NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX measurement_check ON measurement (machine, check_name, taken_at);

CREATE TABLE migration (
  name VARCHAR NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (name)
);

CREATE TABLE review (
  id BIGINT NOT NULL,
  card_id VARCHAR NOT NULL,
  session BIGINT NOT NULL,
  shown_at BIGINT NOT NULL,
  rated_at BIGINT NOT NULL,
  offset_min SMALLINT NOT NULL,
  rating SMALLINT NOT NULL,
  kind SMALLINT NOT NULL,
  suggested SMALLINT,
  outcome VARCHAR,
  answer VARCHAR,
  seed BIGINT NOT NULL,
  revision VARCHAR NOT NULL,
  thinking_ms INTEGER NOT NULL,
  hints SMALLINT NOT NULL,
  parts VARCHAR,
  measurement BIGINT,
  source VARCHAR NOT NULL,
  voided BIGINT,
  PRIMARY KEY (id)
);

CREATE INDEX review_fold ON review (card_id, id, rated_at, offset_min, rating, kind) WHERE voided IS NULL;

CREATE INDEX review_voided ON review (voided) WHERE voided IS NOT NULL;

CREATE TABLE root (
  machine VARCHAR NOT NULL,
  path VARCHAR NOT NULL,
  prefix VARCHAR NOT NULL,
  added_at BIGINT NOT NULL,
  PRIMARY KEY (machine, path)
);

CREATE TABLE session (
  id BIGINT NOT NULL,
  machine VARCHAR NOT NULL,
  started_at BIGINT NOT NULL,
  ended_at BIGINT,
  filter VARCHAR NOT NULL,
  PRIMARY KEY (id)
);

CREATE TABLE setting (
  key VARCHAR NOT NULL,
  value VARCHAR NOT NULL,
  PRIMARY KEY (key)
);

