@echo off
rem Starts Jitney @VERSION@ from the archive in the parent folder. "jitney --help" lists the commands.
rem
rem JITNEY_JAVA_HOME    the Java to use, 17 or later (default: the one in the folder "runtime", if there is one)
rem JAVA_HOME           the Java to use if there is neither of them (default: the one on the PATH)
rem JAVA_OPTS, JITNEY_JAVA_OPTS    options for the Java machine; the latter override the former
rem JITNEY_CACHE_DIR    folder for files that make later starts faster (default: jitney in %LOCALAPPDATA%)
setlocal EnableExtensions DisableDelayedExpansion
for %%I in ("%~dp0..") do set "JITNEY_FOLDER=%%~fI"

set "JITNEY_JAVA="
if defined JITNEY_JAVA_HOME (
    set "JITNEY_JAVA=%JITNEY_JAVA_HOME%\bin\java.exe"
    goto found
)
if exist "%JITNEY_FOLDER%\runtime\bin\java.exe" (
    set "JITNEY_JAVA=%JITNEY_FOLDER%\runtime\bin\java.exe"
    goto found
)
if defined JAVA_HOME (
    set "JITNEY_JAVA=%JAVA_HOME%\bin\java.exe"
    goto found
)
for %%I in (java.exe) do set "JITNEY_JAVA=%%~$PATH:I"
if not defined JITNEY_JAVA (
    echo jitney: Java was not found. Install Java 17 or later, or set JAVA_HOME to it.>&2
    exit /b 1
)
:found
if not exist "%JITNEY_JAVA%" (
    echo jitney: Expected Java at "%JITNEY_JAVA%", but the file does not exist. Set JAVA_HOME to Java 17 or later.>&2
    exit /b 1
)

set "JITNEY_JAVA_VERSION="
for /f "tokens=1-3" %%A in ('^""%JITNEY_JAVA%" -version 2^>^&1^"') do (
    if "%%B"=="version" set "JITNEY_JAVA_VERSION=%%~C"
)
set "JITNEY_JAVA_FEATURE=0"
for /f "delims=.-+ tokens=1" %%A in ("%JITNEY_JAVA_VERSION%") do set "JITNEY_JAVA_FEATURE=%%A"
if %JITNEY_JAVA_FEATURE% LSS 17 (
    echo jitney: Java 17 or later is needed, but "%JITNEY_JAVA%" is version %JITNEY_JAVA_VERSION%.>&2
    exit /b 1
)

set "JITNEY_PART=cli"
set "JITNEY_MAIN=dev.jitney.cli.JitneyCommands"
set "JITNEY_ARCHIVE=messages"
if "%~1"=="server" set "JITNEY_ARCHIVE=server"
if "%~1"=="health" set "JITNEY_ARCHIVE=health"
if "%~1"=="doctor" set "JITNEY_ARCHIVE=doctor"
if "%~1"=="cluster" set "JITNEY_ARCHIVE=cluster"
if "%~1"=="backup" set "JITNEY_ARCHIVE=backup"
if "%~1"=="server" set "JITNEY_PART=server"
if "%~1"=="health" set "JITNEY_PART=server"
if "%~1"=="doctor" set "JITNEY_PART=server"
if "%~1"=="cluster" set "JITNEY_PART=server"
if "%~1"=="backup" set "JITNEY_PART=server"
if "%JITNEY_PART%"=="server" set "JITNEY_MAIN=dev.jitney.server.cli.JitneyCli"
for %%C in (queue topic subscription rule) do if "%~1"=="%%C" set "JITNEY_ARCHIVE=entities"
for %%C in (bench simulate crash fuzz) do if "%~1"=="%%C" (
    echo jitney: %%C is a developer tool and not in this archive. Run it from the source tree.>&2
    exit /b 1
)

set "JITNEY_PLATFORM=-XX:+ExitOnOutOfMemoryError -Xshare:auto"
if %JITNEY_JAVA_FEATURE% GEQ 22 set "JITNEY_PLATFORM=%JITNEY_PLATFORM% --enable-native-access=ALL-UNNAMED"
if %JITNEY_JAVA_FEATURE% GEQ 24 set "JITNEY_PLATFORM=%JITNEY_PLATFORM% --sun-misc-unsafe-memory-access=allow"
if not "%JITNEY_ARCHIVE%"=="server" set "JITNEY_PLATFORM=%JITNEY_PLATFORM% -XX:TieredStopAtLevel=1"

rem An archive of parsed classes makes later starts faster. Java 19 and later write it when they end.
if %JITNEY_JAVA_FEATURE% LSS 19 goto run
if not defined JITNEY_CACHE_DIR if defined LOCALAPPDATA set "JITNEY_CACHE_DIR=%LOCALAPPDATA%\jitney"
if not defined JITNEY_CACHE_DIR goto run
if not exist "%JITNEY_CACHE_DIR%\" mkdir "%JITNEY_CACHE_DIR%" 2>nul
if not exist "%JITNEY_CACHE_DIR%\" goto run
set "JITNEY_PLATFORM=%JITNEY_PLATFORM% -XX:+AutoCreateSharedArchive -Xlog:cds=off -Xlog:cds+dynamic=off"
"%JITNEY_JAVA%" %JITNEY_PLATFORM% "-XX:SharedArchiveFile=%JITNEY_CACHE_DIR%\%JITNEY_ARCHIVE%-@VERSION@-%JITNEY_JAVA_VERSION%.jsa" %JAVA_OPTS% %JITNEY_JAVA_OPTS% -cp "%JITNEY_FOLDER%\lib\%JITNEY_PART%.jar" %JITNEY_MAIN% %*
exit /b %ERRORLEVEL%
:run
"%JITNEY_JAVA%" %JITNEY_PLATFORM% %JAVA_OPTS% %JITNEY_JAVA_OPTS% -cp "%JITNEY_FOLDER%\lib\%JITNEY_PART%.jar" %JITNEY_MAIN% %*
exit /b %ERRORLEVEL%
