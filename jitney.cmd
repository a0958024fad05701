@echo off
rem Runs Jitney from its source tree on Windows. On other systems use the script jitney; a test compares both. It needs a
rem JDK (17 or later), Maven (3.8 or later) and the PowerShell of Windows. The second half of this file is a PowerShell
rem script that checks and builds the tree.
rem
rem   jitney server [...]    the broker            jitney health [...]   checks a server
rem   jitney bench [...]     the benchmark         jitney --help         all commands: queue, send, syphon ...
rem   jitney simulate [...]  the simulator         jitney fuzz [...]     tests with malformed input
rem   jitney crash [...]     kill -9 under load    jitney build          builds without starting
rem   jitney release [...]   archives for users
rem
rem --help and --version never build.
rem
rem JAVA_HOME     the Java for building and running, 17 or later (default: the one on the PATH)
rem JAVA_OPTS, JITNEY_JAVA_OPTS    options for the Java machine; the latter override the former
setlocal EnableExtensions DisableDelayedExpansion
set "LAUNCH_SELF=%~f0"
set "LAUNCH_HOME=%~dp0"
set "LAUNCH_COMMAND=%~1"
set "LAUNCH_SECOND=%~2"
set "LAUNCH_HELP="
if "%~1"=="" set "LAUNCH_HELP=help"

:scan
if "%~1"=="" goto scanned
if "%~1"=="--" goto scanned
if "%~1"=="--help" set "LAUNCH_HELP=help"
if "%~1"=="-h" set "LAUNCH_HELP=help"
if "%~1"=="--version" if not defined LAUNCH_HELP set "LAUNCH_HELP=version"
if "%~1"=="-V" if not defined LAUNCH_HELP set "LAUNCH_HELP=version"
shift
goto scan
:scanned

rem Module, jar, class and archive of parsed classes, as in the script jitney.
set "LAUNCH_MODULE=cli"
set "LAUNCH_OWN=jitney-cli"
set "LAUNCH_MAIN=dev.jitney.cli.JitneyCommands"
set "LAUNCH_ARCHIVE=messages"
set "LAUNCH_STRIP="
if "%LAUNCH_COMMAND%"=="server" goto server
if "%LAUNCH_COMMAND%"=="health" goto health
if "%LAUNCH_COMMAND%"=="doctor" goto doctor
if "%LAUNCH_COMMAND%"=="cluster" goto cluster
if "%LAUNCH_COMMAND%"=="backup" goto backup
if "%LAUNCH_COMMAND%"=="bench" goto bench
if "%LAUNCH_COMMAND%"=="simulate" goto simulate
if "%LAUNCH_COMMAND%"=="crash" goto crash
if "%LAUNCH_COMMAND%"=="upgrade-test" goto upgrade
if "%LAUNCH_COMMAND%"=="release" goto release
if "%LAUNCH_COMMAND%"=="audit-dependencies" goto audit
if "%LAUNCH_COMMAND%"=="fuzz" goto fuzz
if "%LAUNCH_COMMAND%"=="build" goto build
if "%LAUNCH_COMMAND%"=="queue" set "LAUNCH_ARCHIVE=entities"
if "%LAUNCH_COMMAND%"=="topic" set "LAUNCH_ARCHIVE=entities"
if "%LAUNCH_COMMAND%"=="subscription" set "LAUNCH_ARCHIVE=entities"
if "%LAUNCH_COMMAND%"=="rule" set "LAUNCH_ARCHIVE=entities"
goto chosen

:server
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN=dev.jitney.server.cli.JitneyCli"
set "LAUNCH_ARCHIVE=jitney"
goto chosen

:health
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN=dev.jitney.server.cli.JitneyCli"
set "LAUNCH_ARCHIVE=health"
goto chosen

:doctor
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN=dev.jitney.server.cli.JitneyCli"
set "LAUNCH_ARCHIVE=doctor"
goto chosen

:cluster
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN=dev.jitney.server.cli.JitneyCli"
set "LAUNCH_ARCHIVE=cluster"
goto chosen

:backup
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN=dev.jitney.server.cli.JitneyCli"
set "LAUNCH_ARCHIVE=backup"
goto chosen

:bench
set "LAUNCH_STRIP=yes"
set "LAUNCH_MODULE=testing/benchmarks"
set "LAUNCH_OWN=jitney-testing-benchmarks"
set "LAUNCH_MAIN=dev.jitney.benchmarks.JitneyBench"
set "LAUNCH_ARCHIVE=jitney"
if not "%LAUNCH_SECOND%"=="compare" goto chosen
set "LAUNCH_STRIP=two"
set "LAUNCH_MODULE=testing/comparison"
set "LAUNCH_OWN=jitney-testing-comparison"
set "LAUNCH_MAIN=dev.jitney.comparison.JitneyCompare"
goto chosen

:simulate
set "LAUNCH_STRIP=yes"
set "LAUNCH_MODULE=testing/simulation"
set "LAUNCH_OWN=jitney-testing-simulation"
set "LAUNCH_MAIN=dev.jitney.simulation.cli.JitneySimulate"
set "LAUNCH_ARCHIVE=jitney"
goto chosen

:crash
echo jitney: crash needs signals that Windows does not have. Run it on Linux or macOS: ./jitney crash 1>&2
exit /b 2

:upgrade
echo jitney: upgrade-test needs signals that Windows does not have. Run it on Linux or macOS: ./jitney upgrade-test 1>&2
exit /b 2

:release
echo jitney: release needs file modes that Windows does not have. Run it on Linux or macOS: ./jitney release 1>&2
exit /b 2

:audit
echo jitney: audit-dependencies belongs to the release. Run it on Linux or macOS: ./jitney audit-dependencies 1>&2
exit /b 2

:fuzz
set "LAUNCH_STRIP=yes"
set "LAUNCH_MODULE=testing/fuzz"
set "LAUNCH_OWN=jitney-testing-fuzz"
set "LAUNCH_MAIN=dev.jitney.fuzz.JitneyFuzz"
set "LAUNCH_ARCHIVE=jitney"
goto chosen

:build
set "LAUNCH_MODULE=server"
set "LAUNCH_OWN=jitney-server"
set "LAUNCH_MAIN="
set "LAUNCH_ARCHIVE="
goto chosen

:chosen
if defined LAUNCH_HELP set "LAUNCH_ARCHIVE=help"
set "LAUNCH_JAVA="
if defined JAVA_HOME goto java_of_home
for %%j in (java.exe) do set "LAUNCH_JAVA=%%~$PATH:j"
goto java_found
:java_of_home
set "LAUNCH_JAVA=%JAVA_HOME%\bin\java.exe"
:java_found

where powershell >nul 2>nul
if not errorlevel 1 goto powershell_found
echo jitney: PowerShell was not found on the PATH. It is part of Windows: add %%SystemRoot%%\System32\WindowsPowerShell\v1.0 to the PATH. 1>&2
exit /b 1
:powershell_found

rem The script below prints help, fails, or builds. Then it writes the Java options to a temporary file.
set "LAUNCH_PLAN=%TEMP%\jitney-%RANDOM%-%RANDOM%.txt"
powershell -NoProfile -ExecutionPolicy Bypass -Command "$text = [IO.File]::ReadAllText($env:LAUNCH_SELF); & ([ScriptBlock]::Create($text.Substring($text.IndexOf('#' + '#POWERSHELL'))))"
set "LAUNCH_STATUS=%ERRORLEVEL%"
if "%LAUNCH_STATUS%"=="0" goto planned
if exist "%LAUNCH_PLAN%" del "%LAUNCH_PLAN%"
rem 64: there is nothing left to run.
if "%LAUNCH_STATUS%"=="64" exit /b 0
exit /b %LAUNCH_STATUS%
:planned
set "LAUNCH_PLATFORM="
set "LAUNCH_CLASSES="
for /f "usebackq tokens=1,* delims==" %%a in ("%LAUNCH_PLAN%") do set "%%a=%%b"
del "%LAUNCH_PLAN%"

rem The access list of the parent folder protects the server's data on Windows.
if defined LAUNCH_STRIP goto strip
"%LAUNCH_JAVA%" %LAUNCH_PLATFORM% %JAVA_OPTS% %JITNEY_JAVA_OPTS% "@%LAUNCH_CLASSES%" %LAUNCH_MAIN% %*
exit /b %ERRORLEVEL%

:strip
set LAUNCH_REST=
for /f "tokens=1,*" %%a in ("%*") do set LAUNCH_REST=%%b
if "%LAUNCH_STRIP%"=="two" for /f "tokens=2,*" %%a in ("%*") do set LAUNCH_REST=%%b
"%LAUNCH_JAVA%" %LAUNCH_PLATFORM% %JAVA_OPTS% %JITNEY_JAVA_OPTS% "@%LAUNCH_CLASSES%" %LAUNCH_MAIN% %LAUNCH_REST%
exit /b %ERRORLEVEL%

##POWERSHELL
# For PowerShell 5.1 of Windows. Exit status: 0 the file was written, 64 nothing left to run, 1 failure.
$ErrorActionPreference = 'Stop'
$root = $env:LAUNCH_HOME.TrimEnd('\')
$module = $env:LAUNCH_MODULE
$moduleFolder = Join-Path $root ($module.Replace('/', '\'))
$dependencies = Join-Path $moduleFolder 'target\classpath.txt'
$target = Join-Path $root 'target'

function Fail($text) {
    [Console]::Error.WriteLine("jitney: $text")
    exit 1
}

# Returns the program's own jar, if it and all jars it needs exist.
function OwnJar {
    if (-not (Test-Path -LiteralPath $dependencies)) { return $null }
    foreach ($jar in [IO.File]::ReadAllText($dependencies).Trim().Split(';')) {
        if (-not (Test-Path -LiteralPath $jar)) { return $null }
    }
    $found = Get-ChildItem -LiteralPath (Join-Path $moduleFolder 'target') -Filter "$($env:LAUNCH_OWN)-*.jar" |
        Where-Object { $_.Name -notmatch '-(tests|sources|javadoc)\.jar$' } | Select-Object -Last 1
    if ($found) { return $found.FullName }
    return $null
}

# Returns whether the jars exist and are newer than their sources. The time of a folder reveals removed files.
function IsBuilt {
    if (-not (OwnJar)) { return $false }
    $built = (Get-Item -LiteralPath $dependencies).LastWriteTimeUtc
    $sources = @((Join-Path $root 'pom.xml'), (Join-Path $root 'console\package-lock.json'), (Join-Path $root 'testing\benchmarks\pom.xml'), (Join-Path $moduleFolder 'pom.xml'))
    $folders = @((Join-Path $root 'testing\benchmarks\src\main'), (Join-Path $moduleFolder 'src\main'))
    foreach ($part in Get-ChildItem -LiteralPath $root -Directory) {
        $sources += Join-Path $part.FullName 'pom.xml'
        $folders += Join-Path $part.FullName 'src\main'
    }
    foreach ($file in $sources) {
        if ((Test-Path -LiteralPath $file) -and (Get-Item -LiteralPath $file).LastWriteTimeUtc -gt $built) { return $false }
    }
    foreach ($folder in $folders) {
        if (-not (Test-Path -LiteralPath $folder)) { continue }
        foreach ($item in @(Get-Item -LiteralPath $folder) + @(Get-ChildItem -LiteralPath $folder -Recurse)) {
            if ($item.LastWriteTimeUtc -gt $built) { return $false }
        }
    }
    return $true
}

function ShortHelp {
    if ($env:LAUNCH_HELP -eq 'version') {
        $number = [regex]::Match([IO.File]::ReadAllText((Join-Path $root 'pom.xml')), '(?m)^  <version>(.*)</version>').Groups[1].Value
        [Console]::Out.WriteLine("jitney $number (not built yet)")
        return
    }
    [Console]::Out.WriteLine(@'
Usage: jitney COMMAND [OPTION...]
The service bus you run yourself, with a command line for Jitney and for Azure Service Bus.

Commands:
  server        Runs the broker.
  health        Reports whether a server is ready.
  doctor        Checks an installation, running or stopped.
  cluster       Shows, controls and demonstrates a cluster of servers.
  backup        Makes, verifies and restores backups of a server.
  queue         Creates, shows, changes, lists and deletes queues.
  topic         Creates, shows, changes, lists and deletes topics.
  subscription  Creates, shows, changes, lists and deletes subscriptions.
  rule          Creates, shows, changes, lists and deletes the rules of a subscription.
  list          Lists all queues, topics and subscriptions with their counts.
  top           Shows counts, rates and receivers of all entities, live.
  send          Sends messages.
  receive       Receives messages.
  peek          Shows messages without changing them.
  dlq           Lists, counts, resubmits and deletes dead-lettered messages.
  message       Searches for messages, shows them and repairs them.
  job           Shows and controls jobs, which change many messages.
  session       Lists and changes sessions.
  explain       Shows where a message would go.
  access        Lists, creates and revokes access rules, and rotates their keys.
  audit         Lists administrative actions.
  cancel        Cancels scheduled messages.
  purge         Deletes all messages of an entity.
  export        Writes entities and messages as JSON lines.
  import        Creates entities and sends messages from an export.
  syphon        Moves messages from backlog queues to the primary namespace.
  store         Lists, stops and starts the messaging stores of a server.
  namespace     Creates, lists and deletes the namespaces of a server.
  tls           Checks TLS of a server.
  version       Prints the versions of this program and of a server.

Only in a source tree:
  build         Builds Jitney without starting it.
  release       Builds the archives and packages for users.
  bench         Measures throughput and latency.
  simulate      Runs the simulator.
  crash         Kills servers under load.
  upgrade-test  Upgrades a cluster from another release under load.
  fuzz          Tests the server with malformed input.
  audit-dependencies  Compares the libraries with known vulnerabilities.

Jitney is not built yet, so no other help is available. Any other command builds it first, as does jitney build.
For the options of the server see docs\reference\settings.md, for the other commands docs\guides\command-line.md.
'@)
}

function Build($maven) {
    $parts = @('server', 'cli', 'testing/benchmarks')
    if ($module -eq 'testing/simulation' -or $module -eq 'testing/fuzz') { $parts += $module }
    $profile = ''
    if ($module -eq 'testing/comparison') { $parts += $module; $profile = '-Pcomparison ' }
    $log = Join-Path $target 'jitney-build.log'
    if (Test-Path -LiteralPath $dependencies) {
        [Console]::Error.WriteLine('Building Jitney, because its sources have changed.')
    } else {
        [Console]::Error.WriteLine('Building Jitney. The first build takes one to three minutes, or longer on a slow network: Maven')
        [Console]::Error.WriteLine('downloads about 200 MB of missing libraries and plugins.')
    }
    $started = [DateTime]::UtcNow
    $process = New-Object Diagnostics.Process
    $process.StartInfo.FileName = $env:ComSpec
    # Only the jars are needed here. "mvn verify" runs the tests and checks the layout.
    $process.StartInfo.Arguments = '/d /s /c ""' + $maven + '" -B -Dstyle.color=never -DskipTests ' + $profile + 'package -pl ' +
        ($parts -join ',') + ' -am >"' + $log + '" 2>&1 <nul"'
    $process.StartInfo.WorkingDirectory = $root
    $process.StartInfo.UseShellExecute = $false
    [void]$process.Start()
    $last = ''
    do {
        $ended = $process.WaitForExit(1000)
        $state = '0, reading the project'
        $fetched = 0
        if (Test-Path -LiteralPath $log) {
            $stream = [IO.File]::Open($log, 'Open', 'Read', 'ReadWrite')
            $text = (New-Object IO.StreamReader($stream)).ReadToEnd()
            $stream.Close()
            $modules = [regex]::Matches($text, '(?m)^\[INFO\] Building (Jitney.*) \S+ *\[(\d+)/(\d+)\]\s*$')
            if ($modules.Count -gt 0) {
                $m = $modules[$modules.Count - 1]
                $state = '{0} of {1}, {2}' -f $m.Groups[2].Value, $m.Groups[3].Value, $m.Groups[1].Value
            }
            $fetched = [regex]::Matches($text, '(?m)^\[INFO\] Downloaded from').Count
        }
        $seconds = [int]([DateTime]::UtcNow - $started).TotalSeconds
        $note = ''
        if ($fetched -gt 0) { $note = ", $fetched files downloaded" }
        $line = "  module $state ($seconds s$note)"
        if (-not [Console]::IsErrorRedirected) {
            [Console]::Error.Write("`r" + $line.PadRight(79).Substring(0, 79))
        } elseif ($state -ne $last) {
            [Console]::Error.WriteLine($line)
            $last = $state
        }
    } until ($ended)
    if (-not [Console]::IsErrorRedirected) { [Console]::Error.Write("`r" + (' ' * 79) + "`r") }
    if ($process.ExitCode -ne 0) {
        [IO.File]::ReadAllLines($log) | Where-Object { $_ -notmatch '^\[INFO\] Download' } | Select-Object -Last 40 |
            ForEach-Object { [Console]::Error.WriteLine($_) }
        Fail "The build failed. Its log is $log."
    }
    # Set the time to the start of the build, so that a file saved during the build counts as newer.
    foreach ($part in $parts) {
        (Get-Item -LiteralPath (Join-Path $root ($part.Replace('/', '\') + '\target\classpath.txt'))).LastWriteTimeUtc = $started
    }
    [Console]::Error.WriteLine("Built in $([int]([DateTime]::UtcNow - $started).TotalSeconds) s.")
}

$jar = OwnJar
if ($env:LAUNCH_HELP -and (-not $env:LAUNCH_MAIN -or -not $jar)) {
    ShortHelp
    exit 64
}

if (-not $env:LAUNCH_JAVA) { Fail 'Java was not found. Install a JDK, 17 or later, or set JAVA_HOME.' }
if (-not (Test-Path -LiteralPath $env:LAUNCH_JAVA)) {
    Fail "JAVA_HOME is $($env:JAVA_HOME), but there is no bin\java.exe in it. Set JAVA_HOME to a JDK, 17 or later."
}
$whole = ''
$release = Join-Path (Split-Path (Split-Path $env:LAUNCH_JAVA)) 'release'
if (Test-Path -LiteralPath $release) {
    $whole = [regex]::Match([IO.File]::ReadAllText($release), '(?m)^JAVA_VERSION="([^"]*)"').Groups[1].Value
}
if (-not $whole) {
    # Java prints its version on standard error, which PowerShell would treat as a failure.
    $whole = [regex]::Match((& $env:ComSpec /d /s /c "`"`"$($env:LAUNCH_JAVA)`" -version 2>&1`"" | Out-String), 'version "([^"]*)"').Groups[1].Value
}
$version = 0
[void][int]::TryParse([regex]::Match($whole, '^\d+').Value, [ref]$version)
if ($version -lt 17) { Fail "Java 17 or later is needed, but $($env:LAUNCH_JAVA) is version $whole." }

if (-not $env:LAUNCH_HELP -and -not (IsBuilt)) {
    $maven = Get-Command mvn.cmd -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $maven) { Fail 'Jitney must be built first, but Maven was not found. Install Maven 3.8 or later.' }
    $patience = 900
    if ($env:JITNEY_BUILD_PATIENCE) { $patience = [int]$env:JITNEY_BUILD_PATIENCE }
    $lock = Join-Path $target 'jitney-build.lock'
    $held = $null
    # Only one build runs at a time. A second one waits and then uses its result. Windows releases the file when its process ends.
    for ($waited = 0; -not $held; $waited++) {
        try {
            [void][IO.Directory]::CreateDirectory($target)
            $held = [IO.File]::Open($lock, 'OpenOrCreate', 'ReadWrite', 'None')
        } catch [UnauthorizedAccessException] {
            Fail "Jitney must be built first, but $($env:USERNAME) cannot write to $target. Let its owner run jitney build, or build your own copy: git clone $root"
        } catch [IO.IOException] {
            if ($waited -eq 1) { [Console]::Error.WriteLine('Another process is building this tree; waiting until it is done.') }
            if ($waited -ge $patience) {
                Fail "Another process has held $lock for $patience s. Wait for that build, or end it, and start again."
            }
            Start-Sleep -Seconds 1
        }
    }
    try {
        if (-not (IsBuilt)) { Build $maven.Source }
    } finally {
        $held.Close()
    }
    $jar = OwnJar
    if (-not $jar) { Fail "There is no $($env:LAUNCH_OWN) jar in $moduleFolder\target. Delete that folder and start again." }
}
if (-not $env:LAUNCH_MAIN) { exit 64 }

$platform = @()
# Netty and RocksDB use native code. Java 22 and later warn unless it is allowed.
if ($version -ge 22) { $platform += '--enable-native-access=ALL-UNNAMED' }
if ($version -ge 24) { $platform += '--sun-misc-unsafe-memory-access=allow' }
# A server that runs out of memory must end. Acknowledged messages are on disk.
$platform += '-XX:+ExitOnOutOfMemoryError'
if ($module -eq 'cli' -or $env:LAUNCH_ARCHIVE -eq 'health' -or $env:LAUNCH_ARCHIVE -eq 'doctor' -or $env:LAUNCH_ARCHIVE -eq 'cluster' -or $env:LAUNCH_ARCHIVE -eq 'backup') { $platform += '-XX:TieredStopAtLevel=1' }
if ($module -eq 'cli' -and -not [Console]::IsOutputRedirected) { $platform += '-Djitney.screen=true' }
if ($module -eq 'cli' -and -not [Console]::IsErrorRedirected) {
    $platform += '-Djitney.terminal=true'
    if (-not [Console]::IsInputRedirected) { $platform += '-Djitney.questions=true' }
}
if ($module -eq 'testing/fuzz') {
    # Running out of memory is a finding, so memory is small, and the process continues and reports the cause.
    $platform += '-Xmx1g', '-XX:-ExitOnOutOfMemoryError'
    $platform += "`"-Djitney.fuzz.corpus=$root\testing\fuzz\corpus`"", "`"-Djitney.fuzz.work=$root\testing\fuzz\target\fuzz`""
}
$platform += '-Xshare:auto'
# An archive of parsed classes makes later starts faster. Java 19 and later write it when they end and renew it when it is outdated.
if ($version -ge 19) {
    $platform += '-XX:+AutoCreateSharedArchive', "`"-XX:SharedArchiveFile=$moduleFolder\target\$($env:LAUNCH_ARCHIVE)-$version.jsa`""
    $platform += '-Xlog:cds=off', '-Xlog:cds+dynamic=off'
}

# The class path is too long for a command line, so Java reads it from a file. There \ would start an escape sequence.
$classes = Join-Path $moduleFolder 'target\classpath.args'
$text = '-cp "' + ($jar + ';' + [IO.File]::ReadAllText($dependencies).Trim()).Replace('\', '/') + '"'
if (-not (Test-Path -LiteralPath $classes) -or [IO.File]::ReadAllText($classes, [Text.Encoding]::Default) -ne $text) {
    try {
        [IO.File]::WriteAllText($classes, $text, [Text.Encoding]::Default)
    } catch [UnauthorizedAccessException] {
        Fail "$classes cannot be written. Let the user who built the tree run jitney $($env:LAUNCH_COMMAND) once, or build your own copy."
    }
}
[IO.File]::WriteAllLines($env:LAUNCH_PLAN, @("LAUNCH_PLATFORM=$($platform -join ' ')", "LAUNCH_CLASSES=$classes"), [Text.Encoding]::Default)
exit 0
