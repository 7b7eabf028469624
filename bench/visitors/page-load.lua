-- For wrk: requests pages over every connection at the maximum rate and, in time slices, other requests at a steady
-- rate. wrk calls `request` whenever a connection is free, so everything sent has been answered, except for one request
-- per connection. The start of a slice is not measured: it completes the work that the previous slice left.
-- Arguments: file of pages; for each kind of slice a file of requests, or "-"; order of kinds in slices ("1 2 3 3 2 1");
-- requests per second; seconds of a slice; seconds at its start that are not measured; process id of the server.
-- Requests in a file end with NUL.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long nanoseconds; } moment;
  int clock_gettime(int clock, moment *now);
]]
local moment = ffi.new("moment")
local CLOCK_MONOTONIC = 1

local function now()
  ffi.C.clock_gettime(CLOCK_MONOTONIC, moment)
  return tonumber(moment.seconds) + tonumber(moment.nanoseconds) / 1e9
end

local threads = {}
function setup(thread)
  threads[#threads + 1] = thread
end

local function readRequests(file)
  local requests = {}
  if file == "-" then return requests end
  local handle = assert(io.open(file, "rb"))
  for request in handle:read("*a"):gmatch("(.-)%z") do requests[#requests + 1] = request end
  handle:close()
  return requests
end

local pages, besides, order, rate, length, lead, server
local used = {} -- how many requests of each kind were sent
local slice, began, besideSent = 0, 0, 0
local isCounting, pagesCounted, besideCounted, started, processorAtStart = false, 0, 0, nil, 0
measured = "" -- global: `done` runs in another Lua state and reads it

function init(arguments)
  pages = readRequests(arguments[1])
  besides, order = {}, {}
  for kind = 1, #arguments - 6 do
    besides[kind] = readRequests(arguments[kind + 1])
    used[kind] = 0
  end
  local last = #arguments
  for kind in arguments[last - 4]:gmatch("%d+") do order[#order + 1] = tonumber(kind) end
  rate, length, lead = tonumber(arguments[last - 3]), tonumber(arguments[last - 2]), tonumber(arguments[last - 1])
  server = arguments[last]
  math.randomseed(os.time())
end

-- CPU time of the server's first thread in nanoseconds; nil where the kernel does not report it.
local function processorTime()
  local handle = io.open("/proc/" .. server .. "/schedstat", "r")
  if not handle then return nil end
  local time = handle:read("*n")
  handle:close()
  return time
end

-- A slice without measurements, because nothing was answered for that long, has no seconds.
local function endSlice(at)
  if not isCounting then
    measured = measured .. string.format("[0,0,%d,0,-1],", besideSent)
    return
  end
  local processor = processorTime()
  local spent = processor and processor - processorAtStart or -1
  measured = measured .. string.format("[%d,%d,%d,%.6f,%.0f],", pagesCounted, besideCounted, besideSent, at - started, spent)
end

local isFirst = true
function request()
  if isFirst then -- wrk inspects one request before it starts
    isFirst = false
    return pages[1]
  end
  local at = now()
  if slice == 0 or (slice <= #order and at - began >= length) then
    if slice > 0 then endSlice(at) end
    slice, began, besideSent, isCounting = slice + 1, at, 0, false
  end
  if not isCounting and at - began >= lead then
    isCounting, pagesCounted, besideCounted, started, processorAtStart = true, 0, 0, at, processorTime()
  end
  local kind = order[slice] -- nil after the last slice: only pages until wrk ends
  local next = kind and besideSent < (at - began) * rate and besides[kind][used[kind] + 1]
  if next then
    used[kind] = used[kind] + 1
    besideSent = besideSent + 1
    besideCounted = besideCounted + 1
    return next
  end
  pagesCounted = pagesCounted + 1
  return pages[math.random(#pages)]
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\nRESULT {"slices":[%s],"failed":%d,"refused":%d,"medianMs":%.2f,"p99Ms":%.2f}\n',
    threads[1]:get("measured"):sub(1, -2), failed, summary.errors.status,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
